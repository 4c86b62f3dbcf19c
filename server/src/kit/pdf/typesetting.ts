/** A file carried inside the PDF (PDF/A-3), such as the XML of an electronic document. */
export interface PdfAttachment {
  filename: string
  content: Uint8Array
  contentType: string
  /** what the file is to the page that shows it: `alternative` = the same content in another form */
  relationship: 'source' | 'data' | 'alternative' | 'supplement'
  description: string
}

/** `native`: the binary for this platform · `webassembly`: the same version of Typst for every platform, slower */
export type TypesetterBuild = 'native' | 'webassembly'

export interface Typesetting {
  inputs: Record<string, string>
  /** what the document attaches under its own power; their bytes are among the files */
  attachments: PdfAttachment[]
  createdAtSeconds: number
}

/** Typst over files in memory. Nothing on the disk and nothing in the network can be read. */
export interface Typesetter {
  /** `path` is relative to the root, with `/` between its parts. */
  addFile(path: string, content: Uint8Array): void
  removeFile(path: string): void
  /** One PDF/A-3b of `main.typ`. Rejects with an Error that names what is wrong in a template or its data. */
  typeset(what: Typesetting): Promise<Uint8Array>
  /** Whether its memory has grown so far that it must be replaced. */
  isSpent(): boolean
}

/** What a failed document says: each message with the file that it is about. */
export const faultsOf = (found: { message: string; path: string }[]): string =>
  found.map(({ message, path }) => `${message} (${path.replace(/.*[/\\]/, '')})`).join('; ')
