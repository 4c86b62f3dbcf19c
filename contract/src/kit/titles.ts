import { z } from 'zod'
import { optionalText } from './fields.ts'

/** What a record is called in each of our languages; null: as its `title` says, for people of that language, too. */
export const titles = { titleEn: optionalText(100), titleDe: optionalText(100), titlePl: optionalText(100) }

/** What a record is called in the language of the call, else its `title`; read only, as references show it. */
export const shownTitle = z.string()

/** The names of the fields above. */
export const TITLE_FIELDS = ['titleEn', 'titleDe', 'titlePl'] as const satisfies (keyof typeof titles)[]
