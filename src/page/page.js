/* page.js - brings the page of a case to life: one trajectory is shown at a time. */
"use strict";

/* One trajectory is shown, chosen by the tabs or by the address. */
function choose(tabs, sections, number) {
  sections.forEach((section, i) => section.classList.toggle("hidden", i !== number));
  tabs.forEach((tab, i) => tab.classList.toggle("chosen", i === number));
}

function begin() {
  const data = JSON.parse(document.getElementById("data").textContent);
  document.documentElement.classList.add("js");
  const sections = [...document.querySelectorAll("section.trajectory")];
  const tabs = [...document.querySelectorAll(".tabs a")];
  const lives = sections.map((section, i) => new Trajectory(section, data, data.trajectories[i]));
  tabs.forEach((tab, i) => tab.addEventListener("click", (event) => {
    event.preventDefault();
    lives.forEach((one) => one.stop());
    choose(tabs, sections, i);
    lives[i].move(lives[i].s);
  }));
  choose(tabs, sections, 0);
  document.querySelectorAll('.viewer[data-trajectory="-1"]').forEach((element) => new Viewer(element, data, data.guess).draw());
  document.documentElement.dataset.ready = "yes";
}

begin();
