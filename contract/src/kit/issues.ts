import type { z } from 'zod'
import type { FormErrorCode } from '../errors.ts'

/** A wrong field before it has words: `path` is dotted, `params` fill the holes of its text. */
export interface FieldFault {
  path: string
  code: FormErrorCode
  params?: Record<string, unknown>
}

type Issue = z.core.$ZodIssue

// Our own issues say a code where zod's say a sentence.
const isCode = (value: unknown): value is FormErrorCode => typeof value === 'string' && /^[a-z_]+$/.test(value)

function codeOf(found: Issue): Pick<FieldFault, 'code' | 'params'> {
  const own = (found as { params?: { code?: unknown } }).params
  if (own && isCode(own.code)) return { code: own.code, params: own }
  if (isCode(found.message)) return { code: found.message }
  const isMissing = found.input === undefined || found.input === null || found.input === ''
  switch (found.code) {
    case 'invalid_type':
      return { code: isMissing ? 'required' : 'invalid_type' }
    case 'invalid_value':
    case 'invalid_union':
      return { code: isMissing ? 'required' : 'invalid_value' }
    case 'too_big':
      if (found.origin === 'string') return { code: 'too_long', params: { max: found.maximum } }
      return { code: found.origin === 'array' ? 'too_many' : 'too_big', params: { max: found.maximum } }
    case 'too_small':
      // Nothing where something must stand is the same to a person, be it a text or a list.
      if (found.minimum === 1 && (found.origin === 'string' || found.origin === 'array')) return { code: 'required' }
      if (found.origin === 'string') return { code: 'too_short', params: { min: found.minimum } }
      return { code: found.origin === 'array' ? 'too_few' : 'too_small', params: { min: found.minimum } }
    case 'invalid_format':
      return { code: isMissing ? 'required' : 'invalid_value' }
    default:
      return { code: 'invalid_value' }
  }
}

/**
 * What a schema found wrong, in our own codes. The parse needs `reportInput: true`, else nothing counts
 * as given.
 */
export function faultsOf(issues: readonly Issue[], prefix: PropertyKey[] = []): FieldFault[] {
  return issues.flatMap((found) => {
    const path = [...prefix, ...found.path]
    if (found.code === 'unrecognized_keys')
      return found.keys.map((key) => ({ path: [...path, key].join('.'), code: 'unknown_field' as const }))
    // Of a union the branch that came furthest tells best what is wrong.
    if (found.code === 'invalid_union' && found.input !== undefined && found.input !== null) {
      const deepest = found.errors.toSorted((a, b) => depth(b) - depth(a))[0]
      if (deepest && deepest.length > 0) return faultsOf(deepest, path)
    }
    return [{ path: path.join('.'), ...codeOf(found) }]
  })
}

const depth = (issues: readonly Issue[]) =>
  Math.max(0, ...issues.map((found) => found.path.length + (isCode(found.message) ? 1 : 0)))
