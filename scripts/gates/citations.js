// A comment that gives its source is worth something only where the reader has the source: docs/reference.
import { dirname, posix } from 'node:path'
import { files, isCode, lineAt, parse, textOf } from './sources.js'

const FOLDER = 'docs/reference/'

// Cited by the number of a section: `spec §5`, `design §9, rule 7`; or by the words of a heading: `domain, Merge`.
const PAPERS = {
  spec: 'docs/reference/specification.md',
  design: 'docs/reference/design.md',
  domain: 'docs/reference/domain.md',
  api: 'docs/reference/api.md',
}

const DECISIONS = 'docs/decisions/'
const DECISION = /\b[Dd]ecisions?\s+(?:\*\s+)?(\d+(?:(?:, | and |[-–])\d+)*)/g
// A file or folder of the project, as papers name one: `contract/src/order/cargo.ts`, `web/src/ui`. What begins with a
// dot is made on the machine.
const PATH = /`((?:contract|server|web|e2e|bench|scripts|docs|deploy)\/[\w./-]+)`/g

const isText = (file) => /\.(md|css|sql|typ|html|sh|ya?ml)$/.test(file)

const exists = (path) => {
  const folder = path.endsWith('/') ? path : `${path}/`
  return files.includes(path) || files.some((one) => one.startsWith(folder))
}

/** The headings of a paper with the text below each, up to the next heading of the same rank. */
function sectionsOf(file) {
  if (!files.includes(file)) return []
  const text = textOf(file)
  const headings = [...text.matchAll(/^(#+) (.+)$/gm)]
  return headings.map(({ 1: rank, 2: title, index }) => {
    const next = headings.find((one) => one.index > index && one[1].length <= rank.length)
    return { title: title.trim(), text: text.slice(index, next?.index) }
  })
}

/** GitHub's name for a heading in a link. */
const anchorOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/**
 * Two readings of a code file, of the length of its text: `comments` holds the words of its comments and nothing else,
 * `all` the whole file. A remark that runs over several lines is one text in both.
 */
function readingsOf(file) {
  const text = textOf(file)
  if (!isCode(file)) return { comments: text, all: text }
  const blank = (part) => part.replace(/[^\n]/g, ' ')
  let comments = ''
  let all = ''
  let end = 0
  for (const comment of parse(file).comments) {
    const between = text.slice(end, comment.start)
    const words = text
      .slice(comment.start, comment.end)
      .replace(/^\/[/*]+|\*+\/$/g, blank)
      .replace(/^[ \t]*\*/gm, blank)
    comments += (between.trim() === '' ? between : between.replace(/[^\n]/g, '\0')) + words
    all += between + words
    end = comment.end
  }
  return { comments, all: all + text.slice(end) }
}

const plain = (words) => words.replace(/\s+/g, ' ').replaceAll('`', '').trim()

// What a citation ends with, so that `domain, Order status` is not taken for `domain, Order`.
const END = /^(?:[).:;,\0]|\s*$)/

/** Why a citation by number does not resolve, or null. `rest` is what follows the number. */
function numberedFault(sections, number, rest, isInBrackets) {
  const section = sections.find(({ title }) => new RegExp(`^§${number}(?!\\d)`).test(title))
  if (!section) return `there is no §${number}`
  const rule = /^, rule (\d+)/.exec(plain(rest))?.[1]
  if (rule !== undefined)
    return new RegExp(`^${rule}\\. `, 'm').test(section.text) ? null : `§${number} has no rule ${rule}`
  const part = isInBrackets ? /^, ([^;:)]+)/.exec(rest)?.[1] : undefined
  return part === undefined || plain(section.text).toLowerCase().includes(plain(part).toLowerCase())
    ? null
    : `§${number} says nothing of "${plain(part)}"`
}

/** Why a citation by heading does not resolve, or null. `rest` begins with the heading's words. */
function namedFault(sections, rest) {
  const words = rest.slice(0, 100).replace(/\s+/g, ' ')
  const isCited = sections.some(({ title }) => words.startsWith(title) && END.test(words.slice(title.length)))
  return isCited ? null : `there is no heading "${/^[^).:;,\0]*/.exec(words)[0].trim()}"`
}

const NUMBERED = /(?<![\w§])(\(?)([Ss]pec|[Dd]esign)\s+§(\d+)/g
const NAMED = /(?<![\w`-])([Dd]omain|api),\s+(?=[A-Z"“„])/g
// Forms that look like a citation and that nobody could check.
const UNREADABLE = [
  [/(?<![\w`-])(?:[Dd]omain|api)(?::? ["“„]|: (?=[A-Z]))/g, 'is cited as `domain, Merge` or `api, Lists`'],
  [/(?<![\w`-])(?:papers|look|running|beyond|findings), (?=[A-Z])/g, 'is a paper that the project does not hold'],
  [/\b[Ii]ssue \d+/g, 'stands outside the project; what it asks for is said in words'],
  [/\b(?:[Ss]pec|[Ss]pecification|[Dd]esign),?\s+(?:(?:section|rule)\s*)?\d/g, 'is cited as `spec §` and a number'],
]
// The older papers' names; as files they may stand in docs/reference alone.
const FILE = /(?<![\w./-])[\w./-]*?\b(?:spec|domain|api|design|papers|running|beyond)\.md\b/g
const SIGN = /§(?=\d)/g
const isOfALaw = (before, after) =>
  /[A-Z]\w*[A-Z]\w*,?\s*$/.test(before) || /^§\d+\w*(?:\s+(?:Abs\.|Nr\.|Satz)\s*\w+)*\s+[A-Z]\w*[A-Z]/.test(after)

/** Every citation of the papers resolves to a heading in docs/reference, and is written in its paper's one way. */
export function checkCitations() {
  const sections = Object.fromEntries(Object.entries(PAPERS).map(([paper, file]) => [paper, sectionsOf(file)]))
  const problems = []
  for (const file of files.filter((name) => isCode(name) || isText(name))) {
    const { comments, all } = readingsOf(file)
    const say = (offset, what) => problems.push(`${file}:${lineAt(file, offset)}: ${what}`)
    const judge = (match, paper, fault) => {
      if (fault !== null) say(match.index, `${plain(match[0])} … : ${fault} in ${PAPERS[paper]}`)
    }

    // Signs and file names are unmistakable, so they are read in texts of the code too, such as the names of tests.
    const cited = new Set()
    for (const match of all.matchAll(NUMBERED)) {
      const paper = match[2].toLowerCase()
      const end = match.index + match[0].length
      cited.add(all.indexOf('§', match.index))
      judge(match, paper, numberedFault(sections[paper], match[3], all.slice(end, end + 120), match[1] === '('))
    }
    for (const { index } of all.matchAll(SIGN)) {
      const isHeading = file.startsWith(FOLDER) && /(?:^|\n)#+ $/.test(all.slice(0, index))
      const around = [all.slice(Math.max(0, index - 20), index), all.slice(index, index + 40)]
      if (!cited.has(index) && !isHeading && !isOfALaw(...around))
        say(index, 'a number without its paper: each is cited with its own `spec` or `design`')
    }
    for (const { 0: path, index } of all.matchAll(FILE)) {
      const asked = [path, posix.join(dirname(file), path)]
      if (!asked.some((one) => one.startsWith(FOLDER) && files.includes(one)))
        say(index, `${path} is not in the project; what is cited stands in ${FOLDER}`)
    }

    for (const { 1: numbers, index } of comments.matchAll(DECISION))
      for (const number of numbers.match(/\d+/g))
        if (!files.some((one) => one.startsWith(`${DECISIONS}${number}-`))) say(index, `there is no decision ${number}`)
    for (const { 1: path, index } of comments.matchAll(PATH))
      if (!path.includes('/.') && !exists(path)) say(index, `${path} is not in the project`)

    for (const match of comments.matchAll(NAMED)) {
      const paper = match[1].toLowerCase()
      judge(match, paper, namedFault(sections[paper], comments.slice(match.index + match[0].length)))
    }
    for (const [pattern, what] of UNREADABLE)
      for (const match of comments.matchAll(pattern)) say(match.index, `${plain(match[0])} … ${what}`)

    if (!file.endsWith('.md')) continue
    for (const { 1: path, 2: anchor, index } of all.matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)) {
      const target = path === '' ? file : posix.join(dirname(file), path)
      if (!target.startsWith(FOLDER)) continue
      if (!sectionsOf(target).some(({ title }) => anchorOf(title) === anchor))
        say(index, `the link to #${anchor} leads nowhere in ${target}`)
    }
  }
  return problems
}
