import type { UploadKind } from '@waybill/contract/public/upload-link'
import { createStore, delMany, entries, set, type UseStore } from 'idb-keyval'
import type { UploadRead } from '@waybill/contract/public/upload-read'
import { keptName } from '../shell/kept-name.ts'
import { readKept, writeKept } from '../shell/words.ts'

/** What a carrier types, as it stands in the fields. Numbers are written as `language` writes them. */
export interface Typed {
  invoiceNumber: string
  documentCreationDate: string
  dueDate: string
  amount: string
  vat: string
  total: string
  iban: string
  differenceReason: string
}

export type ReadField = Exclude<keyof Typed, 'differenceReason'>

/** What an electronic invoice among the drafts says, and what became of it. */
export interface ToldInvoice {
  /** of the server's draft */
  fileId: number
  read: UploadRead
  /** fields into which it was put */
  filled: ReadField[]
  /** fields that say something else because a person wants it so */
  settled: ReadField[]
}

export interface KeptFile {
  key: string
  kind: UploadKind
  file: File
}

/** What this device keeps of one link until it is sent. */
export interface Kept {
  readTyped: () => (Typed & { language: string }) | null
  writeTyped: (typed: (Typed & { language: string }) | null) => void
  readTold: () => ToldInvoice | null
  writeTold: (told: ToldInvoice | null) => void
  readFiles: () => Promise<KeptFile[]>
  writeFile: (file: KeptFile) => Promise<void>
  forgetFile: (key: string) => Promise<void>
}

let store: UseStore | null = null
const files = (): UseStore => (store ??= createStore('waybill-uploads', 'files'))

/** What is kept for a link; nothing where the browser hashes nothing. */
export async function keptFor(token: string): Promise<Kept> {
  const name = await keptName('waybill-upload', token)
  const quietly = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return name === null ? otherwise : await work()
    } catch {
      return otherwise
    }
  }
  const read = <T>(what: string): T | null => {
    try {
      return JSON.parse((name && readKept(name + what)) ?? 'null') as T | null
    } catch {
      return null
    }
  }
  const write = (what: string, value: object | null) =>
    name !== null && writeKept(name + what, value && JSON.stringify(value))
  return {
    readTyped: () => read(''),
    writeTyped: (typed) => write('', typed),
    readTold: () => read('-invoice'),
    writeTold: (told) => write('-invoice', told),
    readFiles: () =>
      quietly(async () => {
        const all = await entries<string, KeptFile>(files())
        return all.filter(([key]) => key.startsWith(`${name}/`)).map(([, file]) => file)
      }, []),
    writeFile: (file) => quietly(() => set(`${name}/${file.key}`, file, files()), undefined),
    forgetFile: (key) => quietly(() => delMany([`${name}/${key}`], files()), undefined),
  }
}
