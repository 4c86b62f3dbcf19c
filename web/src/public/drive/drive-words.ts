import de from '../../locales/de/drive.json'
import en from '../../locales/en/drive.json'
import pl from '../../locales/pl/drive.json'
import { wordsIn, type Words as WordsOf } from '../shell/words.ts'

/** The words of a driver's page. */
export type Words = WordsOf<keyof typeof en>

export const wordsOf = wordsIn({ en, de, pl })
