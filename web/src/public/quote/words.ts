import de from '../../locales/de/quote-page.json'
import en from '../../locales/en/quote-page.json'
import pl from '../../locales/pl/quote-page.json'
import { wordsIn, type Words as WordsOf } from '../shell/words.ts'

/** The words of the page of a quote. */
export type Words = WordsOf<keyof typeof en>

export const wordsOf = wordsIn({ en, de, pl })
