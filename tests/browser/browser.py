"""A browser without a window, driven over its debugging pipe (DevTools protocol); standard library only."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
SECONDS = 300  # a loaded machine takes as long as it takes


def find():
    """Path of a browser, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page of one browser."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix="globdyn-browser-")
        down_read, self.down = os.pipe()
        self.up, up_write = os.pipe()
        # The browser reads commands from descriptor 3 and writes answers to 4.
        script = f'exec "$@" 3<&{down_read} 4>&{up_write}'
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
                   "--no-first-run", "--disable-dev-shm-usage", f"--user-data-dir={self.folder}", "about:blank"]
        self.process = subprocess.Popen(["bash", "-c", script, "bash", program, *options],
                                        pass_fds=[down_read, up_write], stderr=subprocess.DEVNULL)
        os.close(down_read)
        os.close(up_write)
        self.buffer = b""
        self.count = 0
        self.events = []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        os.close(self.down)
        os.close(self.up)
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self):
        while b"\0" not in self.buffer:
            more = os.read(self.up, 1 << 20)
            if not more:
                raise RuntimeError("the browser ended")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        """A command and its answer; events that come before it are kept."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.down, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def run(self, expression):
        """The value of a JavaScript expression."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def wait(self, expression):
        """Waits until the expression is true."""
        end = time.monotonic() + SECONDS
        while not self.run(expression):
            if time.monotonic() > end:
                raise RuntimeError("never true: " + expression)
            time.sleep(0.05)

    def size(self, width, height=900, touch=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)

    def open(self, path, scripts=True):
        self.events = []
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait("document.readyState == 'complete' && location.protocol == 'file:'")

    def stands_in(self, name, sections):
        """What readers without scripts get, as a list of complaints: each part has visible text or pictures, and nothing is
        left of what needs a script."""
        self.open(name, scripts=False)
        found = self.run("""(() => { const seen = e => e.getBoundingClientRect().height > 0, found = [];
            if (document.documentElement.classList.contains('js')) found.push('a script ran');
            for (const e of document.querySelectorAll('canvas, input, button, select'))
                if (seen(e)) found.push(e.tagName + ' without a script');
            for (const e of document.querySelectorAll(%r)) {
                const words = e.innerText.replace(/\\s+/g, ' ').length;
                const marks = [...e.querySelectorAll('svg')].filter(seen)
                    .reduce((n, s) => n + s.querySelectorAll('path, line, polyline, polygon, circle, rect, text').length, 0);
                const rows = [...e.querySelectorAll('tr')].filter(seen).length;
                const part = e.matches('.static');
                if (!seen(e) || (words < (part ? 10 : 40) && marks < (part ? 2 : 5) && rows < 2))
                    found.push(`${e.id || e.className || e.tagName} is blank: ${words} letters, ${marks} marks, ${rows} rows`); }
            for (const s of document.querySelectorAll('.static svg.chart'))
                if (seen(s) && s.querySelectorAll('path, line, polyline, polygon, circle').length < 2) found.push('an empty picture');
            if (document.documentElement.scrollWidth > innerWidth) found.push('wider than the window');
            return found; })()""" % sections)
        self.call("Emulation.setScriptExecutionDisabled", value=False)
        return found

    def troubles(self):
        """Errors, exceptions, and requests for anything but the page itself."""
        found = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(json.dumps(params["exceptionDetails"])[:400])
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning") and \
                    "getImageData" not in params["entry"]["text"]:  # that is the test itself
                found.append(params["entry"]["text"])
            elif method == "Runtime.consoleAPICalled":
                found.append("console: " + json.dumps(params["args"])[:200])
            elif method == "Network.requestWillBeSent" and params.get("type") != "Document":
                found.append("request: " + params["request"]["url"][:200])
        return found

    def mouse(self, kind, x, y, buttons=1):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=buttons, clickCount=1)

    def drag(self, x, y, to_x, to_y):
        self.mouse("mousePressed", x, y)
        self.mouse("mouseMoved", (x + to_x) / 2, (y + to_y) / 2)
        self.mouse("mouseMoved", to_x, to_y)
        self.mouse("mouseReleased", to_x, to_y, 0)

    def swipe(self, x, y, to_x, to_y):
        point = lambda a, b: [{"x": a, "y": b}]
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=point(x, y))
        self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=point((x + to_x) / 2, (y + to_y) / 2))
        self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=point(to_x, to_y))
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def screenshot(self, path):
        """The whole page as PNG."""
        box = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": box["width"], "height": box["height"], "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))


def check_all(names, check):
    """check(page, name) for each page; 77 where there is no browser, else 0."""
    program = find()
    if not program:
        print("no browser (scripts/setup browser): left out")
        return 77
    page = Browser(program)
    try:
        for name in names:
            check(page, name)
            print("checked", name)
    finally:
        page.close()
    return 0
