import type { FieldErrorCode, Texts } from '../errors.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { pl } from './pl.ts'

/** What is wrong with one field, in every language: for who answers in any of them. A page loads its own alone. */
export const FIELD_ERRORS = Object.fromEntries(
  (Object.keys(en) as FieldErrorCode[]).map((code) => [code, { en: en[code], de: de[code], pl: pl[code] }]),
) as Readonly<Record<FieldErrorCode, Texts>>
