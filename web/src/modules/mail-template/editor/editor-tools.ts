import type { Editor } from '@tiptap/core'
import type { MailBlockKind } from '@waybill/contract/mail-blocks'
import type { Language } from '@waybill/contract/errors'
import type { RichText } from '@waybill/contract/kit/rich-text'
import { createContext, useContext } from 'react'
import type { KnownSnippets } from '../snippets/use-snippets.ts'
import type { Catalogue } from '../text/catalogue.ts'
import type { ChipLook } from '../text/text-extensions.ts'

/** What the pieces of the editor share. */
export interface EditorTools {
  catalogue: Catalogue
  /** Of the text, not of the screen */
  language: Language
  /** The values of the order that the text is looked at with */
  values: Readonly<Record<string, string>>
  lookOf: (key: string, fallback: string | null) => ChipLook
  /** The one text that is being written in */
  editor: Editor | null
  setEditor: (editor: Editor | null) => void
  /** Those of the department */
  snippets: KnownSnippets
  /** Puts a new block, or a paragraph that says this, below the one of this id, at the end without one; opens it */
  addBlock: (what: MailBlockKind | RichText, after: string | null) => void
  /** Says something in the foot, for the ear as well: where a block is while it is moved */
  say: (words: string | null) => void
}

const Tools = createContext<EditorTools | null>(null)
export const EditorToolsProvider = Tools.Provider

/** The tools of the editor around a piece of it. */
export function useEditorTools(): EditorTools {
  const tools = useContext(Tools)
  if (tools === null) throw new Error('a piece of the editor outside of it')
  return tools
}
