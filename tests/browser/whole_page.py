"""A page is whole: elements are closed in order, no address is loaded, the data are JSON, which it writes to data.json.

    whole_page.py PAGE.html"""
import html.parser, json, re, sys

class Reader(html.parser.HTMLParser):
    VOID = {"meta", "input", "br", "rect", "circle", "path", "line", "link", "img"}
    open_tags, script, data = [], False, ""
    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open_tags.append(tag)
        names = dict(attributes)
        loads = [names.get(k) for k in ("src", "href", "xlink:href") if names.get(k)]
        assert all(a.startswith("#") for a in loads), loads
        assert not any(k.startswith("on") for k in names), names
        self.script = tag == "script" and names.get("id") == "data"
    def handle_startendtag(self, tag, attributes):
        pass
    def handle_endtag(self, tag):
        assert self.open_tags and self.open_tags[-1] == tag, (tag, self.open_tags)
        self.open_tags.pop()
        self.script = False
    def handle_data(self, text):
        if self.script:
            self.data += text

text = open(sys.argv[1], encoding="utf-8").read()
reader = Reader()
reader.feed(text)
assert reader.open_tags == [], reader.open_tags
assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest", text)
assert "nan" not in re.sub(r"<script.*?</script>", "", text, flags=re.S).replace("nance", ""), "nan"
data = json.loads(reader.data)
json.dump(data, open("data.json", "w"))
