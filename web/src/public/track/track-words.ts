import de from '../../locales/de/track.json'
import en from '../../locales/en/track.json'
import pl from '../../locales/pl/track.json'
import { wordsIn, type Words as WordsOf } from '../shell/words.ts'

/** The words of a customer's tracking page. */
export type Words = WordsOf<keyof typeof en>

export const wordsOf = wordsIn({ en, de, pl })
