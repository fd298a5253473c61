-- Markdown as the report has it, made a page: the heading of the first level becomes the title, an anchor in front of a
-- section becomes the section's own, and tables and long formulas get a frame that scrolls, so that the page does not.

-- The name in a paragraph that is nothing but <a id="name"></a>.
local function anchor_of(block)
  local first = block.t == "Para" and #block.content == 2 and block.content[1]
  return first and first.t == "RawInline" and first.text:match('^<a id="(%w+)">$')
end

function Table(table)
  -- pairs: a table with names would come out in another order in every run
  local attributes = { { "role", "region" }, { "tabindex", "0" }, { "aria-label", "Table" } }
  return pandoc.Div({ table }, pandoc.Attr("", { "frame" }, attributes))
end

function Math(math)
  if #math.text > 60 then
    return pandoc.Span({ math }, pandoc.Attr("", { "formula" }))
  end
end

function Pandoc(document)
  local blocks, anchor = pandoc.List(), nil
  for _, block in ipairs(document.blocks) do
    local found = anchor_of(block)
    if found then
      anchor = found
    elseif block.t == "Header" and block.level == 1 and not document.meta.title then
      document.meta.title = pandoc.MetaInlines(block.content)
    else
      if anchor and block.t == "Header" then
        block.identifier = anchor
      end
      anchor = nil
      blocks:insert(block)
    end
  end
  document.blocks = blocks
  return document
end
