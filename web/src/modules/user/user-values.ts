import type { Language } from '@waybill/contract/errors'
import type { User, UserWrite } from '@waybill/contract/user'
import type { z } from 'zod'

/**
 * What the form holds: the write shape, where texts may be empty while they are typed, and a
 * position always has its two fields.
 */
export interface UserValues {
  fullName: string | null
  email: string | null
  phone: string | null
  defaultLanguage: Language
  roleId: number | null
  position: { title: string | null; isAdmin: boolean }
  departmentId: number | null
  plateNumber: string | null
}

export const emptyUser = (defaultLanguage: Language): UserValues => ({
  fullName: null,
  email: null,
  phone: null,
  defaultLanguage,
  roleId: null,
  position: { title: null, isAdmin: false },
  departmentId: null,
  plateNumber: null,
})

export const userValuesOf = ({
  fullName,
  email,
  phone,
  defaultLanguage,
  roleId,
  position,
  departmentId,
  plateNumber,
}: User): UserValues => ({
  fullName,
  email,
  phone,
  defaultLanguage,
  roleId,
  position: position ?? { title: null, isAdmin: false },
  departmentId,
  plateNumber,
})

type Position = z.input<typeof UserWrite>['position']

/** Without a title and without administration there is no position; an administrator's needs a title. */
export function userBodyOf({ position, ...values }: UserValues): Omit<UserValues, 'position'> & { position: Position } {
  const isNone = (position.title ?? '').trim() === '' && !position.isAdmin
  return { ...values, position: isNone ? null : (position as Position) }
}
