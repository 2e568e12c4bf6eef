/* table.js - the designs that pass as a table of which only the rows in sight exist. */
"use strict";

const ROW = 26; /* pixels; as in page.css */

class Table {
  constructor(element, designs, page) {
    Object.assign(this, { element, designs, page, first: -1 });
    this.head = element.querySelector("thead");
    this.body = element.querySelector("tbody");
    this.columns = [designs.number, ...designs.columns];
    this.makeHead();
    element.addEventListener("scroll", () => this.rows());
    element.addEventListener("keydown", (event) => this.key(event));
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("tr[data-i]");
      if (row) page.show(Number(row.dataset.i));
    });
    this.body.addEventListener("mouseover", (event) => {
      const row = event.target.closest("tr[data-i]");
      page.scatter.hovered = row ? Number(row.dataset.i) : -1;
      page.later(false);
    });
    new ResizeObserver(() => this.draw()).observe(element);
  }

  /* A click sorts; objectives begin with their best. */
  makeHead() {
    const row = this.head.insertRow(), cell = (text) => {
      const th = document.createElement("th"), button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      th.append(button);
      row.append(th);
      return button;
    };
    this.columns.forEach((column) => {
      const button = cell(column.kind === "number" ? "design" : column.unit ? `${column.name} [${column.unit}]` : column.name);
      button.parentElement.className = column.kind;
      button.addEventListener("click", () => {
        const { column: now, down } = this.designs.sorted;
        this.designs.sort(column, now === column ? !down : column.sense > 0);
      });
    });
    const status = document.createElement("th");
    status.textContent = "status";
    row.append(status);
  }

  draw() {
    const { column, down } = this.designs.sorted;
    [...this.head.rows[0].cells].forEach((cell, k) => {
      if (this.columns[k] === column) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
    this.first = -1;
    this.rows();
  }

  /* The rows in sight between two empty ones that stand for the others. */
  rows() {
    const { order } = this.designs, room = Math.ceil(this.element.clientHeight / ROW) + 8;
    const first = Math.max(0, Math.min(order.length - room, Math.floor(this.element.scrollTop / ROW) - 4));
    if (first === this.first) return;
    this.first = first;
    const last = Math.min(order.length, first + room), rows = [this.gap(first)];
    for (let n = first; n < last; n++) rows.push(this.row(order[n]));
    rows.push(this.gap(order.length - last));
    this.body.replaceChildren(...rows);
  }

  gap(rows) {
    const row = document.createElement("tr");
    row.className = "gap";
    row.style.height = rows * ROW + "px";
    return row;
  }

  row(i) {
    const row = document.createElement("tr"), { designs, page } = this;
    row.dataset.i = i;
    row.className = (i === page.chosen ? "chosen " : "") + ["not", "ok", "front"][designs.rank[i]];
    for (const column of this.columns) {
      const cell = row.insertCell();
      cell.textContent = column.word(i);
      if (column.kind === "constraint" && !Number.isNaN(column.values[i]) && !column.kept(i)) cell.className = "broken";
    }
    row.insertCell().textContent = designs.rank[i] === FRONT ? "front" : designs.statuses[designs.status[i]];
    return row;
  }

  /* The row of the chosen design comes into sight. */
  reveal() {
    const place = this.designs.order.indexOf(this.page.chosen);
    if (place >= 0) {
      const top = place * ROW, { scrollTop, clientHeight } = this.element;
      if (top < scrollTop || top > scrollTop + clientHeight - 3 * ROW) this.element.scrollTop = top - clientHeight / 2;
    }
    this.draw();
  }

  /* Arrows go from design to design. */
  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], { order } = this.designs;
    if (!step || order.length === 0) return;
    event.preventDefault();
    const place = order.indexOf(this.page.chosen);
    this.page.show(order[place < 0 ? 0 : Math.max(0, Math.min(order.length - 1, place + step))]);
  }
}
