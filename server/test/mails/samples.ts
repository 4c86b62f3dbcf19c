import { readdirSync, readFileSync } from 'node:fs'
import type { MailText } from '@waybill/contract/intake/reading'
import { mailOf } from './mail-file.ts'

/** A mail of ours with what it says. */
export interface Sample {
  name: string
  mail: MailText
  truth: unknown
}

/** The mails of this folder, or of one in it, in the order of their names. */
export function samplesIn(folder = ''): Sample[] {
  const from = new URL(folder === '' ? '.' : `${folder}/`, import.meta.url)
  const read = (name: string): string => readFileSync(new URL(name, from), 'utf8')
  return readdirSync(from)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => ({
      name,
      mail: mailOf(read(name)),
      truth: JSON.parse(read(name.replace('.txt', '.json'))) as unknown,
    }))
}
