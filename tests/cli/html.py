#!/usr/bin/python3
"""Loads report.html in headless Chromium on a wide and a narrow screen, light and dark: no error, every picture there,
nothing that scrolls sideways but the frames made for it, links within the page that lead somewhere, one theme at a time,
the keyboard reaching the report. Says "skipped" where there is no Chromium.
usage: html.py report.html [folder for screenshots]"""

import shutil
import sys
from pathlib import Path

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.keys import Keys
except ImportError:
    sys.exit(print("skipped: no python3-selenium"))
chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
if not chromium or not driver:
    sys.exit(print("skipped: no chromium or no chromedriver"))

CHECK = """
const wide = arguments[0], found = [];  // a phone lays a page that is too wide out on a wider screen
for (const e of document.querySelectorAll('details')) e.open = true;
const name = e => e.tagName + (e.id ? '#' + e.id : '') + ' ' + (e.textContent || e.alt || '').trim().slice(0, 40);
if (document.documentElement.scrollWidth > wide) {
  found.push('the page scrolls sideways: ' + document.documentElement.scrollWidth + ' of ' + wide);
  for (const e of document.querySelectorAll('main *'))
    if (e.getBoundingClientRect().right > wide && !e.closest('.frame, .formula, pre')) { found.push('too wide: ' + name(e)); break; }
}
for (const e of document.querySelectorAll('img')) {
  if (!e.complete || !e.naturalWidth) found.push('missing image: ' + e.alt.slice(0, 60));
  if (!/[0-9]/.test(e.alt)) found.push('alt text without a number: ' + e.alt.slice(0, 60));
}
for (const e of document.querySelectorAll('a[href^="#"]'))
  if (!document.getElementById(e.getAttribute('href').slice(1))) found.push('leads nowhere: ' + e.getAttribute('href'));
for (const e of document.querySelectorAll('[src], link[href]'))
  if (!/^data:/.test(e.src || e.href)) found.push('is not inside: ' + (e.src || e.href).slice(0, 60));
const shown = theme => [...document.querySelectorAll('img.' + theme)].filter(e => e.offsetParent).length;
return {found, images: document.images.length, light: shown('light'), dark: shown('dark'),
        paper: getComputedStyle(document.querySelector('.page')).backgroundColor};
"""

page = Path(sys.argv[1]).resolve()
shots = Path(sys.argv[2]) if len(sys.argv) > 2 else None
failures = []


def check(browser, width, where, theme):
    state = browser.execute_script(CHECK, width)
    where = f"{width} px, {where}"
    failures.extend(f"{where}: {text}" for text in state["found"])
    other = "light" if theme == "dark" else "dark"
    if state[other] or 2 * state[theme] != state["images"]:
        failures.append(f"{where}: {state[theme]} {theme} and {state[other]} {other} pictures of {state['images']} shown")
    if (state["paper"] == "rgb(255, 255, 255)") != (theme == "light"):
        failures.append(f"{where}: the paper is {state['paper']}")
    return state["images"]


options = Options()
options.binary_location = chromium
for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
    options.add_argument(argument)
options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
browser = webdriver.Chrome(service=Service(driver), options=options)
try:
    for width, height in ((1280, 1000), (390, 844)):
        size = dict(width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        for theme in ("light", "dark"):
            preference = dict(features=[dict(name="prefers-color-scheme", value=theme)])
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", preference)
            browser.get(page.as_uri())
            images = check(browser, width, theme, theme)
            if shots:
                shots.mkdir(parents=True, exist_ok=True)
                browser.save_screenshot(str(shots / f"{width}-{theme}.png"))
            other = "light" if theme == "dark" else "dark"
            browser.execute_script("document.querySelector(`[for=theme-${arguments[0]}]`).click()", other)
            check(browser, width, f"{theme} switched to {other}", other)
    browser.get(page.as_uri())
    browser.switch_to.active_element.send_keys(Keys.TAB)
    if browser.switch_to.active_element.get_attribute("href") != page.as_uri() + "#report":
        failures.append("the first stop of the Tab key is not the link to the report")
    failures.extend(f"console: {entry['message']}" for entry in browser.get_log("browser"))
finally:
    browser.quit()
for failure in failures:
    print(f"{page.name}: {failure}")
print(f"{page.name}: {images} pictures, {len(failures)} failures")
sys.exit(1 if failures else 0)
