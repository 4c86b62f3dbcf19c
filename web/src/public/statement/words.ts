import de from '../../locales/de/statement-page.json'
import en from '../../locales/en/statement-page.json'
import pl from '../../locales/pl/statement-page.json'
import { wordsIn, type Words as WordsOf } from '../shell/words.ts'

/** The words of the page of a statement of load carriers. */
export type Words = WordsOf<keyof typeof en>

export const wordsOf = wordsIn({ en, de, pl })
