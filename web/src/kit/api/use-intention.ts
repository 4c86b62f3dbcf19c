import { useRef } from 'react'
import { newIdempotencyKey } from './call-api.ts'

/**
 * One key for one intention: the idempotency key of what is asked for, the same one as long as the same is asked. What
 * is pressed again after a lost answer is not done twice; other words are another intention.
 */
export function useIntention(): (asked: unknown) => string {
  const last = useRef({ of: '', key: '' })
  return (asked) => {
    const of = JSON.stringify(asked)
    if (last.current.of !== of) last.current = { of, key: newIdempotencyKey() }
    return last.current.key
  }
}
