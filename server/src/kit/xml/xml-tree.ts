import { SaxesParser } from 'saxes'
import { RefusedXml } from './refused-xml.ts'
import { textPieces } from './xml-text.ts'

/** An element: names without prefix, its own text, and what stands in it. */
export interface XmlElement {
  name: string
  namespace: string
  attributes: Readonly<Record<string, string>>
  text: string
  children: XmlElement[]
}

// The formats that are read need a tenth of each.
const MAX_DEPTH = 64
const MAX_ELEMENTS = 200_000
const MAX_ATTRIBUTES = 32
const MAX_ATTRIBUTE_CHARACTERS = 4_000
const MAX_TEXT_CHARACTERS = 20_000
const XINCLUDE = 'http://www.w3.org/2001/XInclude'

/** How a file is read; left out: all of it is kept, up to as much as an electronic invoice may hold. */
export interface XmlReading {
  maxElements?: number
  /** of a long file: what this takes as it closes is not kept in the tree */
  take?: (element: XmlElement, parent: XmlElement) => boolean
  /** of files inside a file: the text of an element of this name is not kept */
  isFile?: (name: string) => boolean
}

/**
 * Reads XML as it streams into a tree. There is no DTD, no entity beyond the five of XML, no XInclude, and nothing is
 * ever loaded. Throws `RefusedXml`: `unsafe`, `too_heavy`, `broken`.
 */
export function parseXml(
  bytes: Uint8Array,
  { maxElements = MAX_ELEMENTS, take = () => false, isFile = () => false }: XmlReading = {},
): XmlElement {
  const parser = new SaxesParser({ xmlns: true })
  const open: XmlElement[] = []
  let root: XmlElement | null = null
  let elements = 0
  let attributes = 0
  parser.on('error', ({ message }) => {
    throw new RefusedXml(message.includes('undefined entity') ? 'unsafe' : 'broken')
  })
  parser.on('doctype', () => {
    throw new RefusedXml('unsafe')
  })
  parser.on('opentagstart', () => {
    attributes = 0
    elements++
    if (elements > maxElements || open.length >= MAX_DEPTH) throw new RefusedXml('too_heavy')
  })
  parser.on('attribute', ({ value }) => {
    attributes++
    if (attributes > MAX_ATTRIBUTES || value.length > MAX_ATTRIBUTE_CHARACTERS) throw new RefusedXml('too_heavy')
  })
  parser.on('opentag', ({ local, uri, attributes: given }) => {
    if (uri === XINCLUDE) throw new RefusedXml('unsafe')
    const element: XmlElement = {
      name: local,
      namespace: uri,
      attributes: Object.fromEntries(Object.values(given).map(({ local: name, value }) => [name, value])),
      text: '',
      children: [],
    }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  const addText = (text: string) => {
    const element = open.at(-1)
    if (element === undefined || isFile(element.name)) return
    if (element.text.length + text.length > MAX_TEXT_CHARACTERS) throw new RefusedXml('too_heavy')
    element.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const closed = open.pop()
    const parent = open.at(-1)
    if (closed !== undefined && parent !== undefined && take(closed, parent)) parent.children.pop()
  })
  for (const piece of textPieces(bytes)) parser.write(piece)
  parser.close()
  if (root === null) throw new RefusedXml('broken')
  return root
}

/** The elements that a path of names leads to. */
export function all(element: XmlElement | undefined, ...path: string[]): XmlElement[] {
  let found = element === undefined ? [] : [element]
  for (const name of path) found = found.flatMap(({ children }) => children.filter((child) => child.name === name))
  return found
}

/** The first element that a path of names leads to. */
export const first = (element: XmlElement | undefined, ...path: string[]): XmlElement | undefined =>
  all(element, ...path)[0]

/** What the first element on a path says, without blanks around it; null where it says nothing. */
export const said = (element: XmlElement | undefined, ...path: string[]): string | null =>
  first(element, ...path)?.text.trim() || null

/** What all elements on a path say. */
export const allSaid = (element: XmlElement | undefined, ...path: string[]): string[] =>
  all(element, ...path).flatMap(({ text }) => text.trim() || [])
