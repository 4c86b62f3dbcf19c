import { z } from 'zod'
import { coded, id } from '../kit/fields.ts'

/** As many load carriers one movement can have. */
export const MOST_PIECES = 100_000

/** Whole load carriers of one type. */
export const pieces = z.number().int().min(0).max(MOST_PIECES)

/** What was moved: damaged ones are among those given or received, and count like these. */
export const isMoved = ({ given, received }: { given: number; received: number }): boolean => given + received > 0
export const isDamagedAmong = (moved: { given: number; received: number; damaged: number }): boolean =>
  moved.damaged <= moved.given + moved.received

/** What was exchanged at a stop of one type: typed by staff, or told by who drove there. */
export const ExchangedPieces = z
  .strictObject({
    typeId: id,
    /** left there */
    given: pieces,
    /** taken along from there */
    received: pieces,
    damaged: pieces,
  })
  .refine(isMoved, { ...coded('required'), path: ['given'] })
  .refine(isDamagedAmong, { ...coded('too_big'), path: ['damaged'] })
export type ExchangedPieces = z.output<typeof ExchangedPieces>

const count = z.number().int()
/** The same as it is kept: what is answered. */
export const KeptPieces = z.object({ typeId: id, given: count, received: count, damaged: count })

/** Lines of one stop: of how many types at most. */
export const MOST_EXCHANGED_TYPES = 50
