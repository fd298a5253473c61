"""Headless Chromium for the tests of pages: `open_browser()`, which says "skipped" and ends where there is none."""

import json
import shutil
import sys


def open_browser():
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        sys.exit(print("skipped: no python3-selenium"))
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        sys.exit(print("skipped: no chromium or no chromedriver"))
    options = Options()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(service=Service(driver), options=options)
    browser.set_script_timeout(600)
    browser.set_page_load_timeout(600)
    return browser


def requests(browser):
    """The addresses that the browser asked for since the last call."""
    messages = (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
    return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


def emulate(browser, width, theme):
    """A screen of that width, a phone below 600 pixels, and a reader's preference of theme."""
    size = dict(width=width, height=1000 if width > 600 else 812, deviceScaleFactor=1, mobile=width < 600)
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    preference = dict(features=[dict(name="prefers-color-scheme", value=theme)])
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", preference)
