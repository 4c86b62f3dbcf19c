import { z } from 'zod'
import { email, language, optionalPhone, text } from '../kit/fields.ts'

/** What a person changes of their own; what is left out stays. */
export const ProfilePatch = z
  .strictObject({
    fullName: text(150),
    email,
    phone: optionalPhone,
    defaultLanguage: language,
    currentPassword: z.string().max(200),
  })
  .partial()
