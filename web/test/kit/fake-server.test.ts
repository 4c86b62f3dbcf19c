import { customerApi } from '@waybill/contract/customer'
import { departmentApi } from '@waybill/contract/department'
import { getProfile } from '@waybill/contract/session'
import { expect, test } from 'vitest'
import { callApi, callCompact } from '../../src/kit/api/call-api.ts'
import { profileOf } from './app.tsx'
import { fakeFetch, faultsSoFar, forgetCalls, refusal, server } from './fake-server.ts'

const faults = () => {
  const found = [...faultsSoFar()]
  forgetCalls()
  return found
}

test('a call that nothing answers is a fault', async () => {
  await expect(callApi(getProfile)).rejects.toThrow()
  expect(faults()).toEqual(['GET /profile: nothing says how this is answered (/api/profile)'])
})

test('an address that the contract does not have is a fault', async () => {
  await fakeFetch('/api/nowhere')
  expect(faults()).toEqual(['GET /api/nowhere: the contract has no such endpoint'])
})

test('a reply that does not fit is a fault, and says where', async () => {
  server.answer(getProfile, { ...profileOf(), fullName: 7 as unknown as string })
  await expect(callApi(getProfile)).rejects.toThrow()
  expect(faults()).toEqual([expect.stringMatching(/^GET \/profile: the test’s reply does not fit: .*fullName/s)])
})

test('what the page sends and the contract does not take is a fault', async () => {
  server.answer(departmentApi.create, refusal('conflict'))
  const body = { abbreviation: 'A', companyId: 1, countryId: 1, colour: 'red' }
  await expect(callApi(departmentApi.create, { body })).rejects.toThrow()
  expect(faults()).toEqual([expect.stringMatching(/^POST \/departments: what the page sends does not fit the body/)])
})

test('a write without the version read is a fault', async () => {
  await expect(callApi(departmentApi.patch, { params: { id: 1 }, body: {} })).rejects.toThrow()
  expect(faults()).toEqual(['PATCH /departments/:id: the page sends no version'])
})

test('a refusal comes with its status, its code and its words, and is no fault', async () => {
  server.answer(getProfile, refusal('forbidden'))
  await expect(callApi(getProfile)).rejects.toMatchObject({
    status: 403,
    code: 'forbidden',
    detail: 'The page does not exist or you do not have access.',
  })
  expect(faults()).toEqual([])
})

test('a list and its compact form are told apart, and select boxes find by every word without accents', async () => {
  const row = { id: 43, title: 'Fabryka Mebli Łódź S.A.' }
  server.offer(customerApi, [row, { id: 44, title: 'Alpenfaden AG' }])
  expect((await callCompact(customerApi, { q: 'lodz fab' })).items).toEqual([row])
  expect(server.calls(customerApi.compact)).toHaveLength(1)
  expect(server.calls(customerApi.list)).toEqual([])
})

test('what is held back is answered as things are when it is let go', async () => {
  server.answer(getProfile, profileOf({ fullName: 'Before' }))
  const letGo = server.holdBack(getProfile)
  const profile = callApi(getProfile)
  server.answer(getProfile, profileOf({ fullName: 'After' }))
  letGo()
  expect((await profile).fullName).toBe('After')
})
