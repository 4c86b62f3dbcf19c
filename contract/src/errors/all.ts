import type { FieldErrorCode, Texts } from '../errors.ts'
import { de as answeredDe } from './answered/de.ts'
import { en as answeredEn } from './answered/en.ts'
import { pl as answeredPl } from './answered/pl.ts'
import { de as formDe } from './de.ts'
import { en as formEn } from './en.ts'
import { pl as formPl } from './pl.ts'

const en = { ...formEn, ...answeredEn }
const de = { ...formDe, ...answeredDe }
const pl = { ...formPl, ...answeredPl }

/** What is wrong with one field, in every language: for who answers in any of them. A page loads its own alone. */
export const FIELD_ERRORS = Object.fromEntries(
  (Object.keys(en) as FieldErrorCode[]).map((code) => [code, { en: en[code], de: de[code], pl: pl[code] }]),
) as Readonly<Record<FieldErrorCode, Texts>>
