import { reasonOf } from '../kit/context/reason.ts'

/** What a check found: `note` is right as it is, and worth knowing. */
export interface Finding {
  level: 'right' | 'note' | 'wrong'
  about: string
  words: string
  /** what to do */
  advice?: string
}

/** What is wrong as a finding; a check that throws has found something wrong. */
export async function finding(
  about: string,
  advice: string,
  check: () => Promise<Omit<Finding, 'about'> | string>,
): Promise<Finding> {
  try {
    const found = await check()
    return typeof found === 'string' ? { level: 'right', about, words: found } : { about, ...found }
  } catch (error) {
    return { level: 'wrong', about, words: reasonOf(error), advice }
  }
}
