-- Markdown as the report has it, made a page: the heading of the first level becomes the title, an anchor in front of a section
-- becomes the section's own, headings get their address to copy, figures and tables their number and a name, the table of
-- claims what turns its rows into cards on a phone. Without `pages`, or with `single`, everything is inside one file, and
-- what lies beside the report is named, not linked.

local folder = PANDOC_SCRIPT_FILE:match("^(.*)/[^/]*$") or "."
local one_file, numbers, captions = true, { Figure = 0, Table = 0 }, {}

local function content_of(name)
  local file = assert(io.open(folder .. "/" .. name, "r"))
  local text = file:read("a")
  file:close()
  return text
end

local function raw(text) return pandoc.RawBlock("html", text) end

-- The name in a paragraph that is nothing but <a id="name"></a>.
local function anchor_of(block)
  local first = block.t == "Para" and #block.content == 2 and block.content[1]
  return first and first.t == "RawInline" and first.text:match('^<a id="([%w-]+)">$')
end

-- "Figure 3": as the text has it, if it numbers what it shows, or counted.
local function number_of(kind, text)
  local said = text and text:match("^" .. kind .. " (%d+)")
  numbers[kind] = said and tonumber(said) or numbers[kind] + 1
  return kind .. " " .. numbers[kind], said ~= nil
end

-- Cells of the table of claims know their column's name, for on a phone each row is a card.
local function as_cards(t, heads)
  for _, body in ipairs(t.bodies) do
    for _, row in ipairs(body.body) do
      for i, cell in ipairs(row.cells) do
        cell.attr = pandoc.Attr("", {}, { { "data-label", heads[i] } })
      end
    end
  end
end

local function framed(t, heading)
  local heads = {}
  for _, row in ipairs(t.head.rows) do
    for i, cell in ipairs(row.cells) do
      heads[i] = pandoc.utils.stringify(cell.contents)
      cell.attr = pandoc.Attr("", {}, { { "scope", "col" } })
    end
  end
  local class = {}
  local all = table.concat(heads, " "):lower()
  if all:find("claim") and all:find("verdict") and all:find("evidence") then
    as_cards(t, heads)
    class = { "claims" }
  end
  if #t.caption.long == 0 then
    local number = number_of("Table")
    local words = { pandoc.Strong({ pandoc.Str(number) }) }
    if heading then
      table.insert(words, pandoc.Str(" · " .. (heading:match("^(%w+) · ") or heading)))
    end
    t.caption = { long = { pandoc.Plain(words) } }
  end
  t.attr = pandoc.Attr("", class)
  return pandoc.Div({ t }, pandoc.Attr("", { "frame" }))
end

local function figure_opened(text, name)
  text = text:gsub('^<figure>%s*<div class="frame"[^>]*>', "<figure id=\"" .. name:lower():gsub(" ", "-") .. "\">")
  text = text:gsub("</div>%s*<figcaption>", "<figcaption>")
  return one_file and text or text:gsub("<img ", '<img loading="lazy" ')
end

-- Blocks of one level, in order; tables and figures stand in the text or are folded away below it.
local function arranged(blocks, heading)
  local out, opened = pandoc.List(), nil
  for _, block in ipairs(blocks) do
    if block.t == "Header" then
      heading = pandoc.utils.stringify(block.content)
    elseif block.t == "Table" then
      block = framed(block, heading)
    elseif block.t == "RawBlock" and block.text:match("^<figure") then
      opened = block
    elseif opened and (block.t == "Para" or block.t == "Plain") then
      local number, said = number_of("Figure", pandoc.utils.stringify(block.content))
      opened.text = figure_opened(opened.text, number)
      local file = opened.text:match('src="([^"]*)"')
      if not said then
        block.content:insert(1, pandoc.Str(" "))
        block.content:insert(1, pandoc.Strong({ pandoc.Str(number .. ".") }))
      end
      if not one_file then
        block.content:insert(pandoc.Str(" "))
        block.content:insert(pandoc.Link({ pandoc.Str("Open it large") }, file, "", pandoc.Attr("", { "large" })))
      end
      opened = nil
    end
    out:insert(block)
  end
  return out
end

function Math(math)
  if #math.text > 60 then
    return pandoc.Span({ math }, pandoc.Attr("", { "formula" }))
  end
end

function Link(link)
  if one_file and not link.target:match("^#") and not link.target:match("^%a[%w+.-]*:") then
    return pandoc.Span(link.content, pandoc.Attr("", { "file" }))
  end
end

-- The first sentences, for those who show a link to the page.
local function description(blocks)
  for _, block in ipairs(blocks) do
    if block.t == "Para" then
      local text = pandoc.utils.stringify(block.content):gsub("^Abstract%.%s*", ""):gsub('"', "")
      local short = text:sub(1, 220):match("^(.*[.:;])%s") or text:sub(1, 160):match("^(.*)%s")
      return short and short:gsub("[:;]$", ".") or text
    end
  end
end

local function pandoc_page(document)
  local meta = document.meta
  local blocks, anchor = pandoc.List(), nil
  for _, block in ipairs(document.blocks) do
    local found = anchor_of(block)
    if found then
      anchor = found
    elseif block.t == "Header" and block.level == 1 and not meta.title then
      meta.title = pandoc.MetaInlines(block.content)
    else
      if block.t == "Header" then
        block.identifier = anchor or block.identifier
        block.content:insert(pandoc.Link({}, "#" .. block.identifier, "",
          pandoc.Attr("", { "permalink" }, { { "aria-label", "Address of this section" } })))
      end
      anchor = nil
      blocks:insert(block)
    end
  end
  local home = one_file
  for _, page in ipairs(meta.pages or {}) do
    home = home or (page.current and pandoc.utils.stringify(page.file) == "index.html")
  end
  if home then
    blocks:insert(pandoc.Header(2, { pandoc.Str("Try your own sizes") }, pandoc.Attr("instruments")))
    blocks:insert(raw(content_of("instruments.html")))
    meta.instruments = true
  end
  document.blocks = arranged(blocks)
  meta.description = meta.description or description(document.blocks)
  if one_file then
    meta.style = pandoc.MetaInlines({ pandoc.RawInline("html", content_of("page.css")) })
    local script = content_of("page.js") .. content_of("instruments.js")
    meta.script = pandoc.MetaInlines({ pandoc.RawInline("html", script) })
  else
    meta.beside = true
  end
  return document
end

return {
  { Meta = function(meta) one_file = meta.single ~= nil or meta.pages == nil end },
  { Math = Math, Link = Link },
  { Pandoc = pandoc_page },
}
