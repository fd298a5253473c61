#!/usr/bin/python3
"""Loads the pages of a site, or report.html, in headless Chromium on a wide and a narrow screen, light and dark: no error, no
request elsewhere, every picture there, nothing that scrolls sideways but the frames made for it, links within the page that lead
somewhere, one theme at a time, WCAG 2.2 AA as far as axe can tell; no text of a figure below 11 pixels on a phone; and what only
a reader's hand shows, once: keyboard, theme remembered, contents marked, figures opened, numbers explained, claims filtered, findings
searched, no scripts. Without axe (tests/axe; PERP_AXE
names its file) it says so. Says "skipped" where there is no Chromium.
usage: html.py <report.html or folder of pages> [folder for screenshots]"""

import base64
import os
import re
import sys
import zlib
from pathlib import Path
from urllib.parse import unquote, urlparse

from browser import emulate, open_browser, requests

CHECK = """
const [wide, done] = arguments, found = [];  // a phone lays a page that is too wide out on a wider screen
for (const e of document.querySelectorAll('details')) e.open = true;
const name = e => e.tagName + (e.id ? '#' + e.id : '') + ' ' + (e.textContent || e.alt || '').trim().slice(0, 40);
if (document.documentElement.scrollWidth > wide) {
  found.push('the page scrolls sideways: ' + document.documentElement.scrollWidth + ' of ' + wide);
  for (const e of document.querySelectorAll('main *'))
    if (e.getBoundingClientRect().right > wide && !e.closest('.frame, .formula, pre')) { found.push('too wide: ' + name(e)); break; }
}
for (const e of document.querySelectorAll('figure img')) {
  const frame = e.closest('.frame'), shown = e.getBoundingClientRect();
  if (e.offsetParent && shown.right > wide && getComputedStyle(frame ?? e).overflowX !== 'auto') found.push('cut off: ' + name(e));
  if (e.offsetParent && !e.closest('picture') && shown.width < Math.min(700, e.getAttribute('width'))) found.push('too small to read: ' + name(e));
}
for (const e of document.querySelectorAll('a[href^="#"]'))
  if (!document.getElementById(decodeURIComponent(e.hash.slice(1)))) found.push('leads nowhere: ' + e.getAttribute('href'));
const inside = !document.querySelector('link[rel=stylesheet]');
for (const e of document.querySelectorAll('[src], link[href]'))
  if (inside && !/^data:/.test(e.src || e.href)) found.push('is not inside: ' + (e.src || e.href).slice(0, 60));
const images = [...document.querySelectorAll('main img')], shown = images.filter(e => e.offsetParent);
for (const e of images) e.loading = 'eager';
Promise.all(shown.map(e => e.decode().catch(() => found.push('missing image: ' + e.alt.slice(0, 60))))).then(() => {
  shown[0]?.scrollIntoView();
  const box = shown[0]?.getBoundingClientRect();
  done({found, pictures: shown.map(e => [e.currentSrc, e.getBoundingClientRect().width]), corner: box && [box.x + scrollX + 1, box.y + scrollY + 1],
        paper: getComputedStyle(document.querySelector('.page')).backgroundColor});
});
"""
AXE = """
const done = arguments[0];
axe.run({preload: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']}).then(({violations}) =>
  done(violations.map(v => v.id + ': ' + v.help + ' (' + v.nodes.length + ', first ' + v.nodes[0].html.slice(0, 120)
    + ') ' + (v.nodes[0].any[0]?.message || ''))));
"""

target = Path(sys.argv[1]).resolve()
pages = sorted(target.glob("*.html")) if target.is_dir() else [target]
home = target / "index.html" if target.is_dir() else target
shots = Path(sys.argv[2]) if len(sys.argv) > 2 else None
axe = Path(os.environ.get("PERP_AXE") or Path(__file__).parents[2] / "build/axe/axe.min.js")
failures = []
browser = open_browser()


def js(script, *arguments):
    return browser.execute_script(script, *arguments)


def expect(what, fits):
    if not fits:
        failures.append(f"{home.name}: {what}")


def pixel(x, y):
    """Its colour: the first pixel of a PNG is what it is under every filter."""
    clip = dict(x=x, y=y, width=1, height=1, scale=1)
    png = base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", dict(clip=clip, captureBeyondViewport=True))["data"])
    packed, at = b"", 8
    while at < len(png):
        length = int.from_bytes(png[at:at + 4], "big")
        if png[at + 4:at + 8] == b"IDAT":
            packed += png[at + 8:at + 8 + length]
        at += length + 12
    return tuple(zlib.decompress(packed)[1:4])


def smallest_text(address, width):
    """Height in pixels of the smallest text of an SVG that is shown so wide, indices (spans of a text) aside."""
    path = Path(unquote(urlparse(address).path))
    svg = unquote(address) if address.startswith("data:") else path.read_text(encoding="utf-8")
    box = re.search(r"viewBox=['\"]0 0 (\d+)", svg)
    sizes = [float(size) for size in re.findall(r"<(?!tspan)[^>]*font-size=['\"]([\d.]+)", svg)]
    return min(sizes) * width / int(box[1]) if box and sizes else 99


def check(page, width, where, theme):
    state = browser.execute_async_script(CHECK, width)
    where = f"{page.name}, {width} px, {where}"
    failures.extend(f"{where}: {text}" for text in state["found"])
    for address, shown in state["pictures"] if width < 600 else []:
        # Those of a bench are drawn when it runs, and have no form for a phone.
        if "bench-" not in address and (size := smallest_text(address, shown)) < 11:
            failures.append(f"{where}: text of {size:.1f} px in {address[-60:]}")
    if state["corner"] and (pixel(*state["corner"]) == (255, 255, 255)) != (theme == "light"):
        failures.append(f"{where}: the first picture's paper is {pixel(*state['corner'])}")
    if (state["paper"] == "rgb(255, 255, 255)") != (theme == "light"):
        failures.append(f"{where}: the paper is {state['paper']}")


def look_at(page, width, theme):
    emulate(browser, width, theme)
    browser.get(page.as_uri())
    check(page, width, theme, theme)
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
        browser.save_screenshot(str(shots / f"{page.stem}-{width}-{theme}.png"))
    if axe.exists():
        js(axe.read_text(encoding="utf-8"))
        failures.extend(f"{page.name}, {width} px, {theme}: {text}" for text in browser.execute_async_script(AXE))
    other = "light" if theme == "dark" else "dark"
    js("document.querySelector(`[for=theme-${arguments[0]}]`).click()", other)
    check(page, width, f"{theme} switched to {other}", other)
    js("localStorage.clear()")
    failures.extend(f"{page.name} asks for {url}" for url in requests(browser) if not url.startswith(("file:", "data:", "chrome:")))
    failures.extend(f"{page.name}, console: {entry['message']}" for entry in browser.get_log("browser"))


def by_hand():
    from selenium.webdriver.common.keys import Keys
    emulate(browser, 1280, "light")
    browser.get(home.as_uri())
    browser.switch_to.active_element.send_keys(Keys.TAB)
    expect("the first stop of the Tab key is not the link to the report",
           browser.switch_to.active_element.get_attribute("href") == home.as_uri() + "#report")
    js("document.querySelector('[for=theme-dark]').click()")
    browser.get(home.as_uri())
    expect("the theme is not remembered", js("return document.getElementById('theme-dark').checked"))
    js("document.querySelector('[for=theme-system]').click()")
    heading = js("const h = [...document.querySelectorAll('main h2')].at(-2); h.scrollIntoView(); return h.id")
    browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(arguments[0], 100)))")
    marked = js("return [...document.querySelectorAll('.contents [aria-current]')].map(a => a.hash)")
    expect(f"the contents mark {marked} at {heading}", marked == ["#" + heading])
    if js("return document.querySelectorAll('figure').length"):
        js("document.querySelector('figure button.open').click()")
        expect("a figure does not open", js("return document.querySelector('dialog.large').open && document.querySelector('dialog img').naturalWidth > 0"))
        browser.switch_to.active_element.send_keys(Keys.ESCAPE)
        expect("Escape does not close a figure", not js("return document.querySelector('dialog.large').open"))
    if js("return document.querySelectorAll('data[title]').length"):
        said = "const b = document.querySelector('.behind'); return b.hidden ? '' : b.textContent"
        expect("a number says what it is before it is asked", not js(said))
        js("document.querySelector('data[title]').click()")
        expect("a click on a number says nothing of it", js(said) == js("return document.querySelector('data[title]').title") != "")
        browser.switch_to.active_element.send_keys(Keys.ESCAPE)
        expect("Escape leaves what a number said", not js(said))
    if js("return document.querySelectorAll('.filter').length"):
        shown = "return [...document.querySelectorAll('.claims tbody tr')].filter(row => row.offsetParent).length"
        every = js(shown)
        js("""const s = document.querySelector('.filter select'); s.value = s.options[1].value;
              s.dispatchEvent(new Event('input', {bubbles: true}))""")
        some = js(shown)
        expect(f"the filter shows {some} of {every} claims", 0 < some < every or every == 1)
        expect("the filter says another number", js("return document.querySelector('.filter output').textContent").startswith(f"{some} of {every}"))
        js("const s = document.querySelector('.filter input'); s.value = 'no such claim'; s.dispatchEvent(new Event('input', {bubbles: true}))")
        expect("the search finds what is not there", js(shown) == 0)
    if (target / "findings.html").exists():
        findings()
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", dict(value=True))
    browser.get(home.as_uri())
    text = browser.find_element("tag name", "main").text
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", dict(value=False))
    expect("without scripts nothing names the command of the instruments", "perp inspect --dim" in text)


def findings():
    """The list of all findings, a part at a time."""
    for width in (1280, 375):
        emulate(browser, width, "light")
        browser.get((target / "findings.html").as_uri())
        height = js("return document.documentElement.scrollHeight")
        expect(f"the findings are {height} px tall at {width} px", height < 20000)
    shown = "return [...document.querySelectorAll('.findings tbody tr')].filter(row => row.offsetParent)"
    every, rows = js("return document.querySelectorAll('.findings tbody tr').length"), js(shown + ".length")
    said = "return document.querySelector('.pager output').textContent"
    expect(f"{rows} of {every} findings shown, and it says {js(said)}", rows == min(40, every) and js(said) == f"1 to {rows} of {every} findings")
    first = js(shown + "[0].cells[0].textContent")
    if every > 40:
        js("document.querySelectorAll('.pager button')[1].click()")
        expect("Next shows the same", js(shown + "[0].cells[0].textContent") != first and js(said).startswith("41 to "))
    last = js("return [...document.querySelectorAll('.findings tbody tr')].at(-1).cells[0].textContent")
    type_in = "const s = document.querySelector('.pager input'); s.value = arguments[0]; s.dispatchEvent(new Event('input', {bubbles: true}))"
    js(type_in, last)
    expect(f"the search for {last} does not find it first", js(shown + "[0]?.cells[0].textContent") is not None
           and last in js(shown + ".map(row => row.cells[0].textContent)"))
    js(type_in, "no such finding")
    expect("the search finds what is not there", js(shown + ".length") == 0 and js(said) == "no finding has these words")
    heading = js("return [...document.querySelectorAll('main h2')].at(-1).id")
    js("location.hash = arguments[0]", heading)
    browser.execute_async_script("setTimeout(arguments[0], 200)")
    expect(f"a link to {heading} does not show its findings", js("return document.getElementById(arguments[0]).offsetParent !== null", heading)
           and js(shown + "[0].closest('.frame').previousElementSibling !== null"))


try:
    for page in pages:
        everywhere = page == home
        for width, theme in ((1280, "light"), (375, "dark"), (375, "light"), (1280, "dark")):
            if everywhere or (width > 600) == (theme == "light"):
                look_at(page, width, theme)
    by_hand()
finally:
    browser.quit()
for failure in failures:
    print(failure)
print(f"{target.name}: {len(pages)} pages, {len(failures)} failures{'' if axe.exists() else '; skipped: no axe (tests/axe)'}")
sys.exit(1 if failures else 0)
