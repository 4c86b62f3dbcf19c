import { SaxesParser } from 'saxes'
import { RefusedEInvoice } from './refusal.rules.ts'
import { textPieces } from './xml-text.rules.ts'

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

// Files inside an invoice: counted by who reads it, and not kept.
const isAttachment = (name: string): boolean => name.endsWith('BinaryObject')

/** How a long file is read: what `take` takes as it closes is not kept in the tree. */
export interface XmlStream {
  maxElements: number
  take: (element: XmlElement, parent: XmlElement) => boolean
}

const WHOLE: XmlStream = { maxElements: MAX_ELEMENTS, take: () => false }

/**
 * Reads XML as it streams into a tree. There is no DTD, no entity beyond the five of XML, no XInclude, and nothing is
 * ever loaded. Throws `RefusedEInvoice`: `e_invoice_unsafe`, `e_invoice_too_heavy`, `e_invoice_broken`.
 */
export function parseXml(bytes: Uint8Array, { maxElements, take }: XmlStream = WHOLE): XmlElement {
  const parser = new SaxesParser({ xmlns: true })
  const open: XmlElement[] = []
  let root: XmlElement | null = null
  let elements = 0
  let attributes = 0
  parser.on('error', ({ message }) => {
    throw new RefusedEInvoice(message.includes('undefined entity') ? 'e_invoice_unsafe' : 'e_invoice_broken')
  })
  parser.on('doctype', () => {
    throw new RefusedEInvoice('e_invoice_unsafe')
  })
  parser.on('opentagstart', () => {
    attributes = 0
    elements++
    if (elements > maxElements || open.length >= MAX_DEPTH) throw new RefusedEInvoice('e_invoice_too_heavy')
  })
  parser.on('attribute', ({ value }) => {
    attributes++
    if (attributes > MAX_ATTRIBUTES || value.length > MAX_ATTRIBUTE_CHARACTERS)
      throw new RefusedEInvoice('e_invoice_too_heavy')
  })
  parser.on('opentag', ({ local, uri, attributes: given }) => {
    if (uri === XINCLUDE) throw new RefusedEInvoice('e_invoice_unsafe')
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
    if (element === undefined || isAttachment(element.name)) return
    if (element.text.length + text.length > MAX_TEXT_CHARACTERS) throw new RefusedEInvoice('e_invoice_too_heavy')
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
  if (root === null) throw new RefusedEInvoice('e_invoice_broken')
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
