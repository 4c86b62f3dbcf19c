import de from '../../locales/de/upload-documents.json'
import en from '../../locales/en/upload-documents.json'
import pl from '../../locales/pl/upload-documents.json'
import { wordsIn, type Words as WordsOf } from '../shell/words.ts'

/** The words of a carrier's upload page. */
export type Words = WordsOf<keyof typeof en>

export const wordsOf = wordsIn({ en, de, pl })
