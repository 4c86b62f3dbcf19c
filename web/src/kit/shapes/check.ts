import { z } from 'zod/v4'
import { takeZod } from './late-zod.ts'

// Of zod, three quarters stay out of the build where each part is named. Answers and what is sent are not read by pages
// (web/lean-contract.ts), but by the server of the component tests.
takeZod(
  import.meta.env.MODE === 'production'
    ? {
        array: z.array,
        boolean: z.boolean,
        discriminatedUnion: z.discriminatedUnion,
        enum: z.enum,
        literal: z.literal,
        NEVER: z.NEVER,
        number: z.number,
        object: z.object,
        strictObject: z.strictObject,
        string: z.string,
        undefined: z.undefined,
        union: z.union,
      }
    : { ...z, datetime: z.iso.datetime },
)

/**
 * Reads a value by a shape of the contract, so that `faultsOf` can say what is wrong. What checks at once imports this
 * as every other file; a form fetches it with its first check.
 */
export const check = <Shape extends z.ZodType>(shape: Shape, value: unknown): z.ZodSafeParseResult<z.output<Shape>> =>
  shape.safeParse(value, { reportInput: true })
