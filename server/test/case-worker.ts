import type { TestApp } from './app.ts'

/** Somebody who works on orders, with a telephone of their own, and who can leave. */
export async function caseWorker(app: TestApp) {
  const { id, email, caller } = await app.userWith('ORDERS_MANAGEMENT')
  const change = async (values: object) => {
    const { version } = (await app.admin.get(`users/${id}`)).body
    const { status, body } = await app.admin.patch(`users/${id}`, values, { version })
    if (status !== 200) throw new Error(`the user was not changed: ${JSON.stringify(body)}`)
    return body
  }
  const { fullName, phone } = await change({ phone: `+49 170 55${String(id).padStart(5, '0')}` })
  return {
    id,
    email,
    caller,
    /** as a public page names them */
    contact: { name: fullName as string, phone: phone as string },
    leave: async (): Promise<void> => {
      await change({ state: 'inactive' })
    },
  }
}
