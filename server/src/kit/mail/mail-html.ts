import { readFileSync } from 'node:fs'
import type { Language } from '@waybill/contract/errors'

/**
 * A piece of a mail's body, in plain text: a paragraph (line breaks are kept), or a small table of names and values.
 */
export type MailBlock =
  | { kind: 'paragraph'; text: string }
  | { kind: 'facts'; rows: (readonly [name: string, value: string])[] }

export interface MailFrame {
  language: Language
  /** the subject, for readers that show it */
  title: string
  /** stands above the body */
  sender: string
  /** the body as HTML of anybody: it is sanitised here */
  html: string
  /** one clear thing to do; the link is http or https */
  button?: { label: string; url: string }
  /** plain lines below the body */
  footer: string[]
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The blocks as an HTML fragment for `wrapMail` or an editor; every text is escaped. */
export function mailBody(blocks: MailBlock[]): string {
  return blocks
    .map((block) => {
      if (block.kind === 'paragraph') return `<p>${escapeHtml(block.text).replace(/\r\n|\r|\n/g, '<br>')}</p>`
      const rows = block.rows.map(
        ([name, value]) => `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
      )
      return `<table><tbody>${rows.join('')}</tbody></table>`
    })
    .join('\n')
}

// Mail programs drop style sheets, so each allowed tag carries its look; whatever else a tag brought along is dropped.
const TEXT = 'font-size:15px;line-height:1.5;color:#1b2529;'
const CELL = 'padding:4px 16px 4px 0;text-align:left;vertical-align:top;font-size:15px;line-height:1.4;'
const STYLES: Record<string, string> = {
  p: `margin:0 0 14px;${TEXT}`,
  h1: 'margin:0 0 14px;font-size:20px;line-height:1.3;font-weight:600;color:#1b2529;',
  h2: 'margin:0 0 12px;font-size:17px;line-height:1.3;font-weight:600;color:#1b2529;',
  h3: 'margin:0 0 10px;font-size:15px;line-height:1.3;font-weight:600;color:#1b2529;',
  ul: `margin:0 0 14px;padding-left:22px;${TEXT}`,
  ol: `margin:0 0 14px;padding-left:22px;${TEXT}`,
  li: 'margin:0 0 4px;',
  blockquote: `margin:0 0 14px;padding-left:12px;border-left:3px solid #c9d2d6;${TEXT}`,
  hr: 'border:0;border-top:1px solid #c9d2d6;margin:16px 0;',
  a: 'color:#0b5d73;text-decoration:underline;',
  table: 'border-collapse:collapse;margin:0 0 14px;',
  // The frame lets long words break anywhere; a name in a narrow table shall not.
  th: `${CELL}font-weight:400;color:#55646b;word-break:normal;`,
  td: `${CELL}color:#1b2529;`,
}
/**
 * How a part of a mail of ours looks beyond its tag, by the name in `data-look`: a closed list, so that nobody's HTML
 * brings a look of its own. `logo` is the company's picture, which travels with the mail.
 */
const LOOKS: Record<string, string> = {
  greeting: 'margin:0 0 18px;',
  full: 'width:100%;border-collapse:collapse;margin:0 0 18px;',
  head:
    'padding:0 12px 6px 0;border-bottom:1px solid #c9d2d6;text-align:left;font-size:13px;line-height:1.4;' +
    'font-weight:600;color:#55646b;white-space:nowrap;',
  headNumber:
    'padding:0 0 6px 12px;border-bottom:1px solid #c9d2d6;text-align:right;font-size:13px;line-height:1.4;' +
    'font-weight:600;color:#55646b;white-space:nowrap;',
  cell:
    'padding:7px 12px 7px 0;border-bottom:1px solid #e4e9eb;text-align:left;vertical-align:top;font-size:14px;' +
    'line-height:1.4;color:#1b2529;',
  cellNumber:
    'padding:7px 0 7px 12px;border-bottom:1px solid #e4e9eb;text-align:right;vertical-align:top;font-size:14px;' +
    'line-height:1.4;color:#1b2529;white-space:nowrap;',
  sum:
    'padding:7px 12px 0 0;text-align:left;vertical-align:top;font-size:14px;line-height:1.4;font-weight:600;' +
    'color:#1b2529;',
  sumNumber:
    'padding:7px 0 0 12px;text-align:right;vertical-align:top;font-size:14px;line-height:1.4;font-weight:600;' +
    'color:#1b2529;white-space:nowrap;',
  value: `${CELL}font-weight:600;color:#1b2529;word-break:normal;`,
  valueLong: `${CELL}font-weight:600;color:#1b2529;`,
  muted: 'color:#55646b;',
  whole: 'white-space:nowrap;',
  button:
    'display:inline-block;padding:12px 22px;border-radius:4px;background-color:#0c647b;color:#ffffff;' +
    'font-size:15px;line-height:1.2;font-weight:600;text-decoration:none;',
  signature: `margin:22px 0 14px;${TEXT}`,
  logo: 'display:block;max-width:220px;max-height:80px;height:auto;border:0;margin:0 0 14px;',
}
/** Where the logo of a mail is found: among its own parts. */
export const LOGO_SOURCE = 'cid:logo'

const PLAIN_TAGS = ['br', 'strong', 'b', 'em', 'i', 'u', 's', 'span', 'thead', 'tbody', 'tr']
const KEPT_ATTRIBUTES: Record<string, string[]> = {
  a: ['href'],
  img: ['src', 'alt'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
}

/**
 * HTML of anybody reduced to what a mail may hold: no scripts, no images but our logo, looks of our own. Doing it twice
 * changes nothing.
 */
export async function sanitise(html: string): Promise<string> {
  const { default: sanitizeHtml } = await import('sanitize-html')
  return sanitizeHtml(html, {
    // No image is fetched, so it tells nobody that it was opened (domain, Emails).
    allowedTags: [...Object.keys(STYLES), ...PLAIN_TAGS, 'img'],
    allowedAttributes: { '*': ['style', 'data-look'], ...KEPT_ATTRIBUTES },
    // The company's logo, which is a part of the mail; nothing that would be fetched.
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && attribs.src !== LOGO_SOURCE,
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['cid'] },
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    nestingLimit: 40,
    transformTags: {
      '*': (tagName, given) => {
        const attribs: Record<string, string> = {}
        for (const name of KEPT_ATTRIBUTES[tagName] ?? []) if (given[name] !== undefined) attribs[name] = given[name]
        const look = given['data-look']
        const isNamed = look !== undefined && Object.hasOwn(LOOKS, look)
        if (isNamed) attribs['data-look'] = look
        const style = isNamed ? LOOKS[look] : STYLES[tagName]
        if (style) attribs.style = style
        return { tagName, attribs }
      },
    },
  })
}

// Made of frame.mjml when that changes, by its test: mjml takes 75 MB and a fifth of a second, and what it makes of the
// same frame is the same.
const readFrame = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const FRAME = readFrame('frame.html')
const FRAME_WITH_BUTTON = readFrame('frame-with-button.html')

async function textOf(html: string): Promise<string> {
  const { convert } = await import('html-to-text')
  const heading = (selector: string) => ({ selector, options: { uppercase: false } })
  return convert(html, {
    wordwrap: 78,
    selectors: [
      ...['h1', 'h2', 'h3'].map(heading),
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    ],
  })
}

/**
 * The whole mail around a body: HTML that mail programs show alike, and the same as plain text. Throws on a button
 * whose link is not http(s).
 */
export async function wrapMail({
  language,
  title,
  sender,
  html,
  button,
  footer,
}: MailFrame): Promise<{ html: string; text: string }> {
  if (button && !/^https?:$/.test(new URL(button.url).protocol))
    throw new Error('the link of a button must be http or https')
  const body = await sanitise(html)
  const slots: Record<string, string> = {
    language,
    title: escapeHtml(title),
    sender: escapeHtml(sender),
    html: body,
    label: escapeHtml(button?.label ?? ''),
    url: escapeHtml(button?.url ?? ''),
    footer: footer.map(escapeHtml).join('<br>'),
  }
  // One pass, so that braces in a text are never taken for a slot.
  const whole = (button === undefined ? FRAME : FRAME_WITH_BUTTON).replace(
    /\{\{(\w+)\}\}/g,
    (_slot, name: string) => slots[name] ?? '',
  )
  const text = [
    await textOf(body),
    button && `${button.label}: ${button.url}`,
    footer.length > 0 && `-- \n${footer.join('\n')}`,
  ]
    .filter(Boolean)
    .join('\n\n')
  return { html: whole, text }
}
