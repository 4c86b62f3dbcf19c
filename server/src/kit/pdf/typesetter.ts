import type { PdfAttachment } from './pdf.ts'

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

/**
 * The build that was asked for; if none was, the native one where it loads and WebAssembly elsewhere.
 * Rejects if the build that was asked for does not load.
 */
export async function openTypesetter(fonts: Buffer[], build?: TypesetterBuild): Promise<Typesetter> {
  if (build !== 'webassembly') {
    const native = await import('./typesetter-native.ts').catch((error: unknown) => {
      if (build) throw error
    })
    if (native) return native.createNativeTypesetter(fonts)
  }
  const { createWebAssemblyTypesetter } = await import('./typesetter-webassembly.ts')
  return createWebAssemblyTypesetter(fonts)
}

/** What a failed document says: each message with the file that it is about. */
export const faultsOf = (found: { message: string; path: string }[]): string =>
  found.map(({ message, path }) => `${message} (${path.replace(/.*[/\\]/, '')})`).join('; ')
