import { UserWrite } from '@waybill/contract/user'
import { faultsOf } from '@waybill/contract/kit/issues'
import { expect, test } from 'vitest'
import { emptyUser, userBodyOf } from './user-values.ts'

const anna = { ...emptyUser('de'), fullName: 'Anna Nowak', email: 'anna@waybill.example' }
const faults = (values: typeof anna) => {
  const parsed = UserWrite.safeParse(userBodyOf(values), { reportInput: true })
  return parsed.success ? [] : faultsOf(parsed.error.issues).map(({ path, code }) => `${path} ${code}`)
}

test('an administrator’s position needs a title', () => {
  expect(faults({ ...anna, position: { title: ' ', isAdmin: true } })).toEqual(['position.title required'])
})

test('an empty position is none', () => {
  expect(userBodyOf(anna).position).toBeNull()
  expect(userBodyOf({ ...anna, position: { title: '  ', isAdmin: false } }).position).toBeNull()
  expect(userBodyOf({ ...anna, position: { title: 'Clerk', isAdmin: false } }).position).toEqual({
    title: 'Clerk',
    isAdmin: false,
  })
  expect(faults(anna)).toEqual([])
})

test('what is missing is named by its field', () => {
  expect(faults({ ...emptyUser('en'), email: 'anna' } as typeof anna)).toEqual([
    'fullName required',
    'email invalid_email',
  ])
})
