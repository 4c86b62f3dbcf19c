import de from '../../locales/de/new-paper.json'
import en from '../../locales/en/new-paper.json'
import pl from '../../locales/pl/new-paper.json'
import { wordsIn, type Words as WordsOf } from '../shell/words.ts'

/** The words of the page where a carrier hands in a new paper. */
export type Words = WordsOf<keyof typeof en>

export const wordsOf = wordsIn({ en, de, pl })
