import { useEffect, useEffectEvent, useMemo } from 'react'
import type { Draft, DraftKey } from '../../../kit/form/state/draft-store.ts'
import { draftKeyOf } from '../../../kit/form/state/use-form-record.ts'
import { useKeptTyping, useUnsaved } from '../../../kit/form/state/use-kept-typing.ts'
import { NO_ANSWERS, type Answers } from './check-lines.tsx'

type TypedAnswers = Pick<Answers, 'difference' | 'reason'>

const NOTHING: TypedAnswers = { difference: NO_ANSWERS.difference, reason: NO_ANSWERS.reason }

interface KeptAnswersProps {
  /** The invoice's */
  id: number
  answers: Answers
  /** What was answered before on this device, and not approved */
  onRead: (answers: TypedAnswers) => void
}

/** Keeps what is answered of an invoice until it is approved. The page stays for all of a queue; this is for one. */
export function KeptAnswers({ id, ...props }: KeptAnswersProps) {
  const draftKey = draftKeyOf({ path: 'invoices/check' }, id)
  const unsaved = useUnsaved<TypedAnswers>(draftKey)
  return unsaved === undefined ? null : <Keeper {...props} draftKey={draftKey} unsaved={unsaved} />
}

interface KeeperProps extends Omit<KeptAnswersProps, 'id'> {
  draftKey: DraftKey
  unsaved: Draft<TypedAnswers> | null
}

function Keeper({ answers: { difference, reason }, onRead, draftKey, unsaved }: KeeperProps) {
  const isEmpty = difference === null && reason === ''
  const read = useEffectEvent(() => {
    // What was typed while it was read counts.
    if (unsaved !== null && isEmpty) onRead(unsaved.values)
  })
  useEffect(() => read(), [])
  const values = useMemo(() => (isEmpty ? null : { difference, reason }), [isEmpty, difference, reason])
  useKeptTyping(draftKey, { values, base: NOTHING, version: null })
  return null
}
