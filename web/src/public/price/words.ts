import de from '../../locales/de/price-page.json'
import en from '../../locales/en/price-page.json'
import pl from '../../locales/pl/price-page.json'
import { wordsIn, type Words as WordsOf } from '../shell/words.ts'

/** The words of the page of a price request. */
export type Words = WordsOf<keyof typeof en>

export const wordsOf = wordsIn({ en, de, pl })
