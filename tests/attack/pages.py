"""Whether an HTML page of globdyn is what it seems: well nested, nothing from elsewhere, no script but its own."""
import re
from html.parser import HTMLParser

from common import Finding, parse_json

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
ELEMENTS = set("""a b body br button canvas caption circle code col colgroup dd defs details div dl dt em figcaption figure
    footer g h1 h2 h3 h4 head header html i img input label legend li line linearGradient main marker meta nav ol option output
    p path pattern polygon polyline pre rect script section select small span stop strong style sub summary sup svg table
    tbody td text tfoot th thead time title tr tspan ul use""".lower().split()) | {"clippath"}
ADDRESS = re.compile(r"\s*(https?:|//|javascript:|file:|data:(?!image/))", re.IGNORECASE)


class Page(HTMLParser):
    """Reads a page; Finding where it is not as promised."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.words, self.data, self.scripts = [], [], [], 0
        self.feed(text)
        self.close()
        if self.open:
            raise Finding(f"the page ends inside <{self.open[-1]}>")

    def handle_starttag(self, tag, attributes):
        if tag not in ELEMENTS:
            raise Finding(f"an element <{tag}> in the page")
        for name, value in attributes:
            if name.startswith("on") or name == "srcdoc":
                raise Finding(f"<{tag} {name}={value!r}> in the page")
            if name in ("src", "href", "xlink:href", "action", "data") and ADDRESS.match(value or ""):
                raise Finding(f"<{tag} {name}={value!r}>: the page needs something from elsewhere")
        if tag == "script":
            self.scripts += 1
            self.data.append(dict(attributes).get("type") == "application/json")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            raise Finding(f"</{tag}> inside <{self.open[-1] if self.open else 'nothing'}>")
        self.open.pop()

    def handle_comment(self, data):
        raise Finding(f"a comment in the page: {data[:80]!r}")

    def handle_decl(self, decl):
        if decl.lower() != "doctype html":
            raise Finding(f"<!{decl}> in the page")

    def handle_pi(self, data):
        raise Finding(f"<?{data[:80]}> in the page")

    def unknown_decl(self, data):
        raise Finding(f"<![{data[:80]} in the page")

    def handle_data(self, data):
        inside = self.open[-1] if self.open else None
        if inside == "script" and self.data[-1]:
            parse_json(data, "the data of the page")
            if "<!--" in data or "<script" in data.lower():
                raise Finding("the data of the page can change how a browser reads what follows")
        elif inside not in ("script", "style"):
            self.words.append(data)

    def text(self):
        return " ".join(" ".join(self.words).split())


def judge_page(text):
    """The page; Finding when it is not whole or not only its own."""
    if not text.lower().startswith("<!doctype html>"):
        raise Finding("the page does not begin with its type")
    if re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", text):
        raise Finding("control characters in the page")
    page = Page(text)
    if re.search(r"(?<![\w.])-?nan(?![\w.])", page.text()):
        raise Finding("the page shows nan")
    return page
