import { getProfile, patchProfile, type Profile } from '@waybill/contract/session'
import { ProfilePatch } from '@waybill/contract/session/profile-patch'
import type { Language } from '@waybill/contract/errors'
import type { ResourceApi } from '@waybill/contract/kit/resource'

/** What the form holds: what a person may change of their own, where a field may be empty while it is typed. */
export interface ProfileValues {
  fullName: string | null
  email: string | null
  phone: string | null
  defaultLanguage: Language
}

export const profileValuesOf = ({ fullName, email, phone, defaultLanguage }: Profile): ProfileValues => ({
  fullName,
  email,
  phone,
  defaultLanguage,
})

export type ProfileApi = ResourceApi & { get: typeof getProfile; patch: typeof patchProfile }

/**
 * The profile as the form's kit takes a record. It has no id in its address, and is neither made nor listed: a form
 * of what exists asks for no more.
 */
export const profileApi = {
  path: 'profile',
  name: 'profile',
  write: ProfilePatch.required({ fullName: true, email: true, phone: true, defaultLanguage: true }),
  get: getProfile,
  patch: patchProfile,
} as unknown as ProfileApi
