import type { Language } from '@waybill/contract/errors'
import { getOurOffice, type OurOffice } from '@waybill/contract/public/our-office'
import { ApiError } from '../../kit/api/api-error.ts'
import { callPublic, passes } from './call-public.ts'
import { officeView } from './company.ts'
import { element } from './element.ts'
import { troubleView, type Trouble } from './parts.ts'

/** Why the page of a link cannot be shown. */
export interface Obstacle {
  trouble: Trouble
  /** whom to call where the link opens nothing; null where that is not known either */
  office: OurOffice | null
}

/** What a failed call says of the page that was asked for. */
export async function obstacleOf(failure: unknown, language: Language): Promise<Obstacle> {
  if (failure instanceof ApiError && failure.status === 429) return { trouble: 'slowed', office: null }
  if (passes(failure)) return { trouble: 'offline', office: null }
  return { trouble: 'gone', office: await callPublic(getOurOffice, language, {}).catch(() => null) }
}

/** What is shown in place of the page. */
export function obstacleView(
  { trouble, office }: Obstacle,
  words: Parameters<typeof troubleView>[1] & Parameters<typeof officeView>[1],
  onAgain: () => void,
): HTMLElement {
  const shownOffice = office === null ? null : officeView(office, words)
  return element('main', { class: 'alone' }, troubleView(trouble, words, { office: shownOffice, onAgain }))
}
