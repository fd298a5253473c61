-- Markdown as the report has it, made a page: the heading of the first level becomes the title, an anchor in front of a section
-- becomes the section's own, headings get their address to copy, tables a number, a caption and heads that say what they head,
-- the table of claims what makes a card of each row on a phone, and pictures a frame that scrolls where the screen is narrow;
-- an instrument comes where the text has its place, and what has none comes last.
-- Style and scripts go inside where all is one file.

local folder = PANDOC_SCRIPT_FILE:match("^(.*)/[^/]*$") or "."
local tables = 0

local function content_of(name)
  local file = assert(io.open(folder .. "/" .. name, "r"))
  local text = file:read("a")
  file:close()
  return text
end

local function raw(text) return pandoc.MetaInlines({ pandoc.RawInline("html", text) }) end

-- The name in a paragraph that is nothing but <a id="name"></a>.
local function anchor_of(block)
  local first = block.t == "Para" and #block.content == 2 and block.content[1]
  return first and first.t == "RawInline" and first.text:match('^<a id="([%w-]+)">$')
end

-- The number in a paragraph "Table 3: …" above a table.
local function table_number(block)
  return block.t == "Para" and tonumber(pandoc.utils.stringify(block.content):match("^Table (%d+)"))
end

-- A caption: the paragraph above that numbers the table, or the next number and the section that it stands in.
local function framed(t, caption, heading)
  local heads = {}
  for _, row in ipairs(t.head.rows) do
    for i, cell in ipairs(row.cells) do
      heads[i] = pandoc.utils.stringify(cell.contents)
      cell.attr = pandoc.Attr("", {}, { { "scope", "col" } })
    end
  end
  local all, class = table.concat(heads, " "):lower(), {}
  if all:find("claim") and all:find("verdict") and all:find("evidence") then
    class = { "claims" }
    for _, body in ipairs(t.bodies) do
      for _, row in ipairs(body.body) do
        for i, cell in ipairs(row.cells) do
          cell.attr = pandoc.Attr("", {}, { { "data-label", heads[i] } })
        end
      end
    end
  end
  if heads[1] == "finding" and heads[#heads] == "meaning" then
    class = { "findings" }
  end
  for i, column in ipairs(t.colspecs) do  -- a class a column, for pandoc would repeat the alignment in every cell
    if tostring(column[1]) == "AlignRight" then
      table.insert(class, "r" .. i)
    end
    t.colspecs[i] = { pandoc.AlignDefault, column[2] }
  end
  t.attr = pandoc.Attr("", class)
  if not caption then
    tables = tables + 1
    local section = heading and (heading:match("^(%w+) · ") or heading)
    caption = { pandoc.Strong({ pandoc.Str("Table " .. tables) }), pandoc.Str(section and " · " .. section or "") }
  end
  t.caption = { long = { pandoc.Plain(caption) } }
  return pandoc.Div({ t }, pandoc.Attr("", { "frame" }))
end

local function with_frames(blocks)
  local out, heading = pandoc.List(), nil
  for i, block in ipairs(blocks) do
    local above = i > 1 and table_number(blocks[i - 1])
    if block.t == "Header" then
      heading = pandoc.utils.stringify(block.content)
    elseif block.t == "Table" then
      tables = above or tables
      block = framed(block, above and out:remove().content, heading)
    end
    out:insert(block)
  end
  return out
end

-- The forms of instruments.html by name, those that have no place yet, and what stands there for readers without scripts.
local forms, unplaced = {}, {}
local without_scripts = content_of("instruments.html"):match("^<noscript>.-</noscript>\n")
for form in content_of("instruments.html"):gmatch("<form .-</form>\n") do
  local name = form:match('id="try%-(%w+)"')
  forms[name] = form
  table.insert(unplaced, name)
end

local function instrument(name)
  local form = assert(forms[name], "no instrument " .. name)
  forms[name] = nil  -- one of each
  local text = without_scripts .. form
  without_scripts = ""
  return pandoc.RawBlock("html", text)
end

function RawBlock(block)
  local placed = block.text:match("^<!%-%- instrument (%w+) %-%->")
  if placed then
    return instrument(placed)
  end
  if block.text:match("^<img ") then  -- of another verb's page
    local picture = block.text:gsub(">%s*$", ' loading="lazy">')
    return pandoc.RawBlock("html", '<figure>\n<div class="frame">' .. picture .. "</div>\n</figure>")
  end
  if block.format == "html" and block.text:match("^<figure ") then
    local shown = block.text:find("<picture>") and "<picture>.-</picture>" or "<img [^>]*>"
    block.text = block.text:gsub(shown, '<div class="frame">%0</div>')
    return block
  end
end

function Math(math)
  if #math.text > 60 then
    return pandoc.Span({ math }, pandoc.Attr("", { "formula" }))
  end
end

-- The other pages in four groups. Two are folded where the page is not theirs.
local made = { rules = true, findings = true, benchmarks = true, trust = true, artifact = true, machine = true }
local groups = { "Answer", "Results", "Chapters", "How it was made" }
local function group_of(page)
  local name = pandoc.utils.stringify(page.file):match("^([%w-]+)")
  return name == "index" and 1 or page.result and 2 or made[name] and 4 or 3
end

local function grouped(pages)
  local out = {}
  for i, title in ipairs(groups) do
    local of, current = pandoc.List(), i < 3
    for _, page in ipairs(pages) do
      if group_of(page) == i then
        of:insert(page)
        current = current or page.current
      end
    end
    if #of > 0 then
      table.insert(out, { title = title, pages = of, folded = not current })
    end
  end
  return out
end

-- Picture and chart of the first page, as a phone has them, beside each other below the first paragraph.
local function opening(blocks)
  local images = ""
  for _, name in ipairs({ "report-idea", "report-learned" }) do
    for _, block in ipairs(blocks) do
      local size = block.t == "RawBlock" and block.text:match('srcset="figures/' .. name:gsub("-", "%%-") .. '%-phone%.svg" (width="%d+" height="%d+")')
      if size then
        images = images .. '<img src="figures/' .. name .. '-phone.svg" ' .. size .. " " .. block.text:match('alt="[^"]*"') .. ">\n"
      end
    end
  end
  return images ~= "" and pandoc.RawBlock("html", '<div class="frame opening">\n' .. images .. "</div>")
end

-- Whether it is the list of the pages that have one result each.
local function leads_to_result(block, pages)
  local found = false
  if block.t == "BulletList" then
    block:walk({ Link = function(link)
      for _, page in ipairs(pages) do
        found = found or (page.result and pandoc.utils.stringify(page.file) == link.target)
      end
    end })
  end
  return found
end

-- The first sentence or so, for those who show a link to the page.
local function description(blocks)
  for _, block in ipairs(blocks) do
    if block.t == "Para" then
      local text = pandoc.utils.stringify(block.content):gsub('"', ""):gsub("%s+", " ")
      return (text .. " "):sub(1, 220):match("^(.*[.?!])%s") or text:sub(1, 160):match("^(.*)%s") or text
    end
  end
end

function Pandoc(document)
  local meta, blocks, anchor = document.meta, pandoc.List(), nil
  for _, block in ipairs(document.blocks) do
    local found = anchor_of(block)
    if found then
      anchor = found
    elseif block.t == "Header" and block.level == 1 and not meta.title then
      meta.title = pandoc.MetaInlines(block.content)
    else
      if block.t == "Header" then
        block.identifier = anchor or block.identifier
        meta.sections = true
        local says = pandoc.Attr("", { "permalink" }, { { "aria-label", "Address of this section" } })
        block.content:insert(pandoc.Link({}, "#" .. block.identifier, "", says))
      end
      anchor = nil
      blocks:insert(block)
    end
  end
  meta.description = meta.description or description(blocks)
  document:walk({ RawInline = function(inline) meta.numbers = meta.numbers or inline.text:match("^<data ") ~= nil end })
  local home = meta.single
  meta.groups = meta.pages and grouped(meta.pages)
  for _, page in ipairs(meta.pages or {}) do
    home = home or (page.current and pandoc.utils.stringify(page.file) == "index.html")
  end
  if home then
    local picture = not meta.single and opening(blocks)
    if picture then
      blocks:insert(2, picture)
    end
    for i, block in ipairs(blocks) do
      if leads_to_result(block, meta.pages or {}) then
        blocks:insert(i, pandoc.Para({ pandoc.Strong("Results, a page each") }))
        break
      end
    end
    for _, name in ipairs(unplaced) do
      if forms[name] then
        blocks:insert(instrument(name))
      end
    end
  end
  meta.instruments = without_scripts == ""
  document.blocks = with_frames(blocks)
  if meta.single then
    meta.style = raw(content_of("page.css"))
    meta.script = raw(content_of("page.js") .. content_of("rope_architectures.js") .. content_of("instruments.js"))
  end
  return document
end
