import { readdirSync, readFileSync } from 'node:fs'
import { EMAIL_TYPES, type EmailType } from '@waybill/contract/email'
import { EMAIL_RULES } from '@waybill/contract/email/email-rules'
import { templateKey, templateWriteFor, type TemplateWrite } from '@waybill/contract/email/template'
import { LANGUAGES, type Language } from '@waybill/contract/errors'
import { readStandardText } from './standard-text.rules.ts'

export interface TextName {
  type: EmailType
  variant: string
  language: Language
}

/** Every text that comes with the product: each type and variant in each language. */
export const STANDARD_TEXT_NAMES: readonly TextName[] = EMAIL_TYPES.flatMap((type) =>
  EMAIL_RULES[type].variants.flatMap((variant) => LANGUAGES.map((language) => ({ type, variant, language }))),
)

const folder = new URL('../../../locales/', import.meta.url)
const read = new Map<string, TemplateWrite>()

/** The file of a text: `en/mails/order_resolved.changed.txt`. */
const fileOf = ({ type, variant, language }: TextName): string => {
  const key = templateKey({ type, variant, language, id: null })
  return `${language}/mails/${key.slice(0, -(language.length + 1))}.txt`
}

/** The text that comes with the product; read once a process, when it is first asked for. */
export function standardText(name: TextName): TemplateWrite {
  const file = fileOf(name)
  const known = read.get(file)
  if (known) return known
  const text = templateWriteFor(name).parse(readStandardText(readFileSync(new URL(file, folder), 'utf8')))
  read.set(file, text)
  return text
}

/** Files beside the texts that are asked for; a test holds that there are none. */
export const strayTexts = (): string[] =>
  LANGUAGES.flatMap((language) =>
    readdirSync(new URL(`${language}/mails/`, folder)).map((file) => `${language}/mails/${file}`),
  ).filter((file) => !STANDARD_TEXT_NAMES.some((name) => fileOf(name) === file))
