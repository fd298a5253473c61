// What the page gains where scripts run: the theme is remembered, the contents mark where one is, figures open large, tables
// and pictures that are wider than the screen can be reached by the keyboard, a click on a number says what it is, the claims can be
// searched and filtered, and so can the findings, a few dozen at a time.
"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  for (const choice of all("input.theme"))
    choice.addEventListener("change", () => {
      try { localStorage.setItem("theme", choice.id.slice("theme-".length)); } catch { /* the browser keeps nothing */ }
    });

  // ---- contents

  const contents = document.querySelector(".contents"), narrow = matchMedia("(max-width: 1199px)");
  const fold = () => { for (const list of all(".aside details")) list.open = !narrow.matches && !("folded" in list.dataset); };
  fold();
  narrow.addEventListener("change", fold);
  const entries = new Map();
  for (const link of all("a[href^='#']", contents)) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (heading) entries.set(heading, link);
  }
  let marked = null, waiting = false;
  const mark = () => {
    waiting = false;
    let here = null;
    for (const heading of entries.keys()) {
      if (heading.getBoundingClientRect().top > innerHeight / 4) break;
      here = heading;
    }
    const link = entries.get(here);
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    marked = link;
    if (!link) return;
    link.setAttribute("aria-current", "true");
    const box = link.getBoundingClientRect(), frame = contents.closest(".aside").getBoundingClientRect();
    if (!narrow.matches && (box.top < frame.top || box.bottom > frame.bottom))
      contents.closest(".aside").scrollBy(0, box.top - frame.top - frame.height / 2);
  };
  const soon = () => {
    if (!waiting) requestAnimationFrame(mark);
    waiting = true;
  };
  addEventListener("scroll", soon, { passive: true });
  addEventListener("resize", soon);
  mark();

  // ---- tables and pictures wider than the screen

  const frames = new ResizeObserver(changes => {
    for (const { target: frame } of changes) {
      const scrolls = frame.scrollWidth > frame.clientWidth;
      const says = frame.closest("figure")?.querySelector("figcaption")?.innerText.split(".")[0] ?? (frame.innerText.split("\n")[0] || "Picture");
      for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", says]])
        if (scrolls) frame.setAttribute(name, value); else frame.removeAttribute(name);
    }
  });
  for (const frame of all(".frame, pre, .formula")) frames.observe(frame);

  // ---- figures

  const large = document.body.appendChild(element("dialog", { className: "large" }));
  const open = figure => {
    const shown = figure.querySelector("img").cloneNode();
    shown.removeAttribute("loading");
    const close = element("button", { type: "button", textContent: "Close", onclick: () => large.close() });
    large.replaceChildren(close, element("div", { className: "picture", tabIndex: 0 }, shown));
    large.setAttribute("aria-label", figure.querySelector("figcaption").innerText.split(".")[0]);
    large.lastChild.setAttribute("role", "group");
    large.lastChild.setAttribute("aria-label", "Picture");
    large.showModal();
  };
  large.addEventListener("click", event => { if (event.target === large) large.close(); });
  for (const figure of all("figure:has(figcaption)")) {
    const link = figure.querySelector("figcaption a[href$='.svg']");
    const button = element("button", { type: "button", className: "open", textContent: "Open large" });
    button.addEventListener("click", () => open(figure));
    if (link) link.replaceWith(button); else figure.querySelector("figcaption").lastElementChild.append(" ", button);
    for (const image of all("img", figure)) image.addEventListener("click", () => open(figure));
  }

  // ---- numbers: what a click on one says; a click elsewhere, or Escape, and it goes

  const behind = document.querySelector(".page").appendChild(element("div", { className: "behind", hidden: true }));
  behind.setAttribute("role", "status");
  const show = number => {
    behind.hidden = !number;
    behind.textContent = number?.title ?? "";
  };
  addEventListener("click", event => show(event.target.closest("data[title]")));
  addEventListener("keydown", event => { if (event.key === "Escape") show(null); });

  // ---- claims

  const chapter_of = link => {
    const [file, place] = link.getAttribute("href").split("#");
    if (file) return file.replace(/\.html$/, "");
    const target = document.getElementById(place);
    const before = all("main h2").filter(heading => target?.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_PRECEDING);
    return before.length ? before.at(-1).id : "";
  };
  for (const table of all("table.claims")) {
    const cell = (row, name) => all("td, th", row).find(td => td.dataset.label?.toLowerCase() === name);
    const rows = all("tbody tr", table).map(row => ({
      row,
      text: row.textContent.toLowerCase(),
      verdict: [cell(row, "verdict").textContent.match(/[A-Za-z]+/)[0]],
      evidence: cell(row, "evidence").textContent.split(",").map(kind => kind.trim()),
      study: [chapter_of(row.querySelector("a"))],
    }));
    const search = element("input", { type: "search" }), selects = {};
    const form = element("form", { className: "filter", ariaLabel: "Claims" }, element("label", {}, "Search ", search));
    form.setAttribute("role", "search");
    for (const kind of ["verdict", "evidence", "study"]) {
      const values = [...new Set(rows.flatMap(row => row[kind]))].filter(Boolean).sort();
      selects[kind] = element("select", {}, element("option", { value: "", textContent: "any" }),
        ...values.map(value => element("option", { value, textContent: value.toLowerCase() })));
      form.append(element("label", {}, `${kind[0].toUpperCase()}${kind.slice(1)} `, selects[kind]));
    }
    const count = form.appendChild(element("output"));
    count.setAttribute("aria-live", "polite");
    const filter = () => {
      const words = search.value.toLowerCase().split(/\s+/);
      let shown = 0;
      for (const one of rows) {
        const fits = words.every(word => one.text.includes(word))
          && Object.entries(selects).every(([kind, select]) => !select.value || one[kind].includes(select.value));
        one.row.hidden = !fits;
        shown += fits;
      }
      count.textContent = `${shown} of ${rows.length} claims`;
    };
    form.addEventListener("input", filter);
    form.addEventListener("submit", event => event.preventDefault());
    filter();
    table.closest(".frame").before(form);
  }

  // ---- findings: a search over all tables of the page, and a part of what it finds at a time

  const tables = all("table.findings");
  if (tables.length) {
    const length = 40, rows = [], sections = new Map();
    for (const table of tables) {
      const heads = all("thead th", table).map(head => head.textContent), meanings = new Map();
      let heading = table.closest(".frame");
      while (heading.previousElementSibling && heading.tagName !== "H2") heading = heading.previousElementSibling;
      const parts = [heading];
      while (parts.at(-1) !== table.closest(".frame")) parts.push(parts.at(-1).nextElementSibling);
      sections.set(heading, parts);
      for (const row of all("tbody tr", table)) {
        [...row.cells].forEach((cell, i) => { cell.dataset.label = heads[i]; });
        const meaning = row.cells[row.cells.length - 1], number = meaning.textContent.match(/^\(\d+\)/)?.[0];
        if (meanings.has(number)) meaning.textContent = meanings.get(number); else meanings.set(number, meaning.textContent);
        rows.push({ row, heading, text: `${heading.textContent} ${row.textContent}`.toLowerCase() });
      }
    }
    const search = element("input", { type: "search" }), count = element("output");
    count.setAttribute("aria-live", "polite");
    let first = 0, found = rows;
    const show = from => {
      first = Math.max(0, Math.min(from, found.length - 1));
      const shown = new Set(found.slice(first, first + length)), headings = new Set([...shown].map(one => one.heading));
      for (const one of rows) one.row.hidden = !shown.has(one);
      for (const [heading, parts] of sections) for (const part of parts) part.hidden = !headings.has(heading);
      count.textContent = found.length ? `${first + 1} to ${Math.min(first + length, found.length)} of ${found.length} findings` : "no finding has these words";
      previous.disabled = first === 0;
      next.disabled = first + length >= found.length;
    };
    const turn = by => () => { show(first + by); form.scrollIntoView(); };
    const previous = element("button", { type: "button", textContent: "Previous", onclick: turn(-length) });
    const next = element("button", { type: "button", textContent: "Next", onclick: turn(length) });
    const form = element("form", { className: "filter pager", ariaLabel: "Findings" }, element("label", {}, "Search ", search), previous, next, count);
    form.setAttribute("role", "search");
    form.addEventListener("submit", event => event.preventDefault());
    search.addEventListener("input", () => {
      const words = search.value.toLowerCase().split(/\s+/);
      found = rows.filter(one => words.every(word => one.text.includes(word)));
      show(0);
    });
    // A link to a claim's findings begins with these.
    const follow = () => {
      const heading = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!sections.has(heading)) return show(first);
      search.value = "";
      found = rows;
      show(rows.findIndex(one => one.heading === heading));
      heading.scrollIntoView();
    };
    sections.keys().next().value.before(form);
    addEventListener("hashchange", follow);
    follow();
  }
})();
