import { describe, expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../../test/app.ts'

const test = useTestApp()

const roleOf = async (userId: number): Promise<number> =>
  (await test.database.pool.query('select "roleId" from "user" where id = $1', [userId])).rows[0].roleId

describe('people', () => {
  it('say why the last administrator stays', async () => {
    const last = await test.idOf('user', 'email', 'admin@waybill.example')
    const { body: read } = await test.admin.get(`users/${last}`)
    const german = { 'accept-language': 'de' }
    for (const change of [{ state: 'inactive' }, { position: null }]) {
      const refused = await test.admin.patch(`users/${last}`, change, { version: read.version, headers: german })
      expect([refused.status, refused.body.code]).toEqual([409, 'last_administrator'])
      expect(refused.body.detail).toContain('der letzte aktive Administrator')
    }
    expect((await test.admin.delete(`users/${last}`)).body.code).toBe('last_administrator')
  })

  it('grant no permission that they lack', async () => {
    const { caller } = await test.userWith('USERS_MANAGEMENT')
    expect(
      (await caller.post('user-roles', { title: 'Too much', permissions: ['USERS_MANAGEMENT', 'SETTINGS_ACCESS'] }))
        .status,
    ).toBe(403)
    const made = await caller.post('user-roles', { title: 'Just enough', permissions: ['USERS_MANAGEMENT'] })
    expect(made.status).toBe(201)
    expect(
      (await caller.patch(`user-roles/${made.body.id}`, { permissions: ['FULL_ACCESS'] }, { version: 1 })).status,
    ).toBe(403)
    const mighty = await test.idOf('user_role', 'title', 'Administration')
    expect((await caller.post('users', { fullName: 'New', email: 'new@waybill.example', roleId: mighty })).status).toBe(
      403,
    )
  })

  it('change the address of nobody who holds a right that they lack, and their own on the profile alone', async () => {
    const { caller, id } = await test.userWith('USERS_MANAGEMENT', 'ORDERS_MANAGEMENT')
    const german = { 'accept-language': 'de' }
    const mightier = await test.userWith('INVOICES_PROCESSING')
    const asleep = await test.userWith('INVOICES_PROCESSING')
    await test.database.pool.query('update user_role set "isEnabled" = false where id = $1', [await roleOf(asleep.id)])
    for (const { id: other, email } of [mightier, asleep]) {
      const { body: read } = await caller.get(`users/${other}`)
      // Taking the role away in the same breath makes nobody smaller.
      for (const change of [{ email: 'mine@waybill.example' }, { email: 'mine@waybill.example', roleId: null }]) {
        const refused = await caller.patch(`users/${other}`, change, { version: read.version, headers: german })
        expect(refused.status).toBe(422)
        expect(refused.body.errors).toEqual([
          {
            path: 'email',
            code: 'address_of_more_rights',
            message: expect.stringContaining('Rechte, die Ihnen fehlen'),
          },
        ])
      }
      expect((await caller.patch(`users/${other}`, { phone: '+49 40 1' }, { version: read.version })).status).toBe(200)
      expect((await test.admin.get(`users/${other}`)).body).toMatchObject({ email, phone: '+49 40 1' })
    }
    for (const [one, own] of [
      [caller, id],
      [test.admin, await test.idOf('user', 'email', ADMIN.email)],
    ] as const) {
      const { body: read } = await one.get(`users/${own}`)
      const refused = await one.patch(`users/${own}`, { email: 'mine@waybill.example' }, { version: read.version })
      expect(refused.body.errors).toMatchObject([{ path: 'email', code: 'own_address' }])
    }
    const lesser = await test.userWith('ORDERS_MANAGEMENT')
    const { body: read } = await caller.get(`users/${lesser.id}`)
    expect(
      (await caller.patch(`users/${lesser.id}`, { email: 'renamed@waybill.example' }, { version: read.version }))
        .status,
    ).toBe(200)
    const { body: again } = await test.admin.get(`users/${mightier.id}`)
    expect(
      (
        await test.admin.patch(
          `users/${mightier.id}`,
          { email: 'by-admin@waybill.example' },
          { version: again.version },
        )
      ).status,
    ).toBe(200)
  })

  it('neither shut out, strip, delete nor reset somebody who holds a right that they lack', async () => {
    const { caller } = await test.userWith('USERS_MANAGEMENT', 'ORDERS_MANAGEMENT')
    const mightier = await test.userWith('ORDERS_MANAGEMENT', 'INVOICES_PROCESSING')
    await test.database.pool.query(
      `insert into two_factor ("userId", secret, "lastStep", "confirmedAt") values ($1, 'sealed', 0, now())`,
      [mightier.id],
    )
    const path = `users/${mightier.id}`
    const { body: read } = await caller.get(path)
    const polish = { 'accept-language': 'pl' }
    for (const change of [
      { state: 'inactive' },
      { roleId: null },
      { position: null },
      { position: { title: 'Intern', isAdmin: false } },
    ]) {
      const refused = await caller.patch(path, change, { version: read.version, headers: polish })
      expect([refused.status, refused.body.code], JSON.stringify(change)).toEqual([403, 'person_of_more_rights'])
      expect(refused.body.detail).toContain('zwróć się do administratora')
    }
    expect((await caller.delete(path)).body.code).toBe('person_of_more_rights')
    expect((await caller.post(`${path}/two-factor/reset`, {}, { version: read.version })).body.code).toBe(
      'person_of_more_rights',
    )
    expect((await mightier.caller.get('invoices')).status).toBe(200)
    expect((await caller.patch(path, { phone: '+49 40 2' }, { version: read.version })).status).toBe(200)
    expect((await test.admin.patch(path, { state: 'inactive' }, { version: read.version + 1 })).body).toMatchObject({
      state: 'inactive',
    })
    expect((await caller.patch(path, { state: 'active' }, { version: read.version + 2 })).body.code).toBe(
      'person_of_more_rights',
    )

    const equal = await test.userWith('ORDERS_MANAGEMENT')
    const { body: other } = await caller.get(`users/${equal.id}`)
    for (const [n, change] of [{ state: 'inactive' }, { state: 'active' }, { position: null }].entries())
      expect((await caller.patch(`users/${equal.id}`, change, { version: other.version + n })).status).toBe(200)
    expect((await caller.delete(`users/${equal.id}`)).status).toBe(204)
  })

  it('become master of nobody whose rights were taken away in the last thirty days', async () => {
    const { caller } = await test.userWith('USERS_MANAGEMENT')
    const day = 86_400_000
    const byRole = await test.userWith('INVOICES_PROCESSING')
    const byPermission = await test.userWith('INVOICES_PROCESSING')
    const byPosition = await test.userWith()
    const asAdmin = { position: { title: 'Boss', isAdmin: true } }
    expect((await test.admin.patch(`users/${byPosition.id}`, asAdmin, { version: 1 })).status).toBe(200)
    const asClerk = { position: { title: 'Clerk', isAdmin: false } }
    for (const taken of [
      await test.admin.patch(`users/${byRole.id}`, { roleId: null }, { version: 1 }),
      await test.admin.patch(`user-roles/${await roleOf(byPermission.id)}`, { permissions: [] }, { version: 1 }),
      await test.admin.patch(`users/${byPosition.id}`, asClerk, { version: 2 }),
    ])
      expect(taken.status).toBe(200)
    const takeOver = async (id: number) => {
      const { body: read } = await caller.get(`users/${id}`)
      return caller.patch(`users/${id}`, { email: `mine${id}@waybill.example` }, { version: read.version })
    }
    const people = [byRole.id, byPermission.id, byPosition.id]
    test.clock.advance(10 * 60_000)
    for (const id of people)
      expect((await takeOver(id)).body.errors).toMatchObject([{ code: 'address_of_more_rights' }])
    expect((await caller.delete(`users/${byRole.id}`)).body.code).toBe('person_of_more_rights')
    test.clock.advance(31 * day)
    const { email } = await test.userWith('USERS_MANAGEMENT')
    const later = test.withToken((await test.signIn(email, ADMIN.password)).body.token)
    for (const id of people) {
      const { body: read } = await later.get(`users/${id}`)
      const changed = await later.patch(`users/${id}`, { email: `new${id}@waybill.example` }, { version: read.version })
      expect(changed.status).toBe(200)
    }
    const { body } = await test.signIn(ADMIN.email, ADMIN.password)
    test.admin = test.withToken(body.token)
  })

  it('tell the old address in its owner’s language that it was changed, by others and by oneself', async () => {
    const person = await test.userWith('ORDERS_MANAGEMENT')
    const mails = async () =>
      (await test.admin.get(`emails?userId=${person.id}`)).body.items.map(
        ({ type, to, subject, html }: { type: string; to: string[]; subject: string; html: string }) => ({
          type,
          to,
          subject,
          html,
        }),
      )
    const [second, third] = [`second${person.id}@waybill.example`, `third${person.id}@waybill.example`]
    const change = (body: object, version: number) => test.admin.patch(`users/${person.id}`, body, { version })
    expect((await change({ phone: '+49 40 3', defaultLanguage: 'de' }, 1)).status).toBe(200)
    expect((await change({ email: person.email.toUpperCase() }, 2)).status).toBe(200)
    expect(await mails()).toEqual([])
    expect((await change({ email: second }, 3)).status).toBe(200)
    const own = { email: third, currentPassword: ADMIN.password }
    expect((await person.caller.patch('profile', own, { version: 4 })).status).toBe(200)
    expect(await mails()).toEqual([
      {
        type: 'address_changed',
        to: [second],
        subject: 'Die Adresse Ihres Zugangs wurde geändert',
        html: expect.stringContaining(third),
      },
      {
        type: 'address_changed',
        to: [person.email.toUpperCase()],
        subject: expect.any(String),
        html: expect.any(String),
      },
    ])
  })

  it('may do nothing without a position, whatever the role grants, nor give one to larger roles', async () => {
    const { id, email, caller: first } = await test.userWith('INVOICES_PROCESSING')
    const people = await test.userWith('USERS_MANAGEMENT')
    const { body: user } = await test.admin.get(`users/${id}`)
    expect((await first.get('invoices')).status).toBe(200)
    expect((await test.admin.patch(`users/${id}`, { position: null }, { version: user.version })).status).toBe(200)
    // A position that is taken away is a right that is taken away: the session ends.
    expect((await first.get('profile')).status).toBe(401)
    const without = test.withToken((await test.signIn(email, ADMIN.password)).body.token)
    expect((await without.get('invoices')).body.code).toBe('forbidden')
    expect((await without.get('profile')).body).toMatchObject({ position: null, permissions: '[]' })
    const position = { title: 'Clerk', isAdmin: false }
    expect((await people.caller.patch(`users/${id}`, { position }, { version: user.version + 1 })).status).toBe(403)
    expect((await test.admin.patch(`users/${id}`, { position }, { version: user.version + 1 })).status).toBe(200)
    expect((await without.get('profile')).status).toBe(401)
    const again = test.withToken((await test.signIn(email, ADMIN.password)).body.token)
    expect((await again.get('invoices')).status).toBe(200)
  })

  it('wake no role that grants more than they hold, and put their own neither to sleep nor awake', async () => {
    const { caller, id } = await test.userWith('USERS_MANAGEMENT')
    for (const asleep of [{ isEnabled: false }, { state: 'inactive' }]) {
      const { body: role } = await test.admin.post('user-roles', {
        title: `Asleep ${JSON.stringify(asleep)}`,
        permissions: ['USERS_MANAGEMENT', 'INVOICES_PROCESSING'],
        ...asleep,
      })
      expect(
        (await caller.patch(`user-roles/${role.id}`, { isEnabled: true, state: 'active' }, { version: 1 })).status,
      ).toBe(403)
      const lesser = await caller.patch(
        `user-roles/${role.id}`,
        { title: `Renamed ${JSON.stringify(asleep)}` },
        { version: 1 },
      )
      expect(lesser.status).toBe(200)
      expect(
        (await test.admin.patch(`user-roles/${role.id}`, { isEnabled: true, state: 'active' }, { version: 2 })).status,
      ).toBe(200)
    }
    const own = await roleOf(id)
    expect((await caller.patch(`user-roles/${own}`, { state: 'inactive' }, { version: 1 })).status).toBe(403)
    expect((await caller.patch(`user-roles/${own}`, { isEnabled: false }, { version: 1 })).status).toBe(403)
  })

  it('put no role to sleep that grants more than they hold, nor change what second factor it asks for', async () => {
    const { caller } = await test.userWith('USERS_MANAGEMENT')
    const { body: role } = await test.admin.post('user-roles', {
      title: 'Mightier role',
      permissions: ['USERS_MANAGEMENT', 'INVOICES_PROCESSING'],
      isTwoFactorRequired: true,
    })
    for (const change of [{ state: 'inactive' }, { isEnabled: false }, { isTwoFactorRequired: false }])
      expect((await caller.patch(`user-roles/${role.id}`, change, { version: 1 })).status).toBe(403)
    expect((await test.admin.patch(`user-roles/${role.id}`, { isEnabled: false }, { version: 1 })).status).toBe(200)
  })

  it('change neither their own role nor the permissions of the role they hold', async () => {
    const { caller, id } = await test.userWith('USERS_MANAGEMENT')
    const roleId = await roleOf(id)
    const { body: own } = await caller.get(`users/${id}`)
    expect((await caller.patch(`users/${id}`, { roleId: null }, { version: own.version })).status).toBe(403)
    expect((await caller.patch(`user-roles/${roleId}`, { permissions: [] }, { version: 1 })).status).toBe(403)
    expect((await caller.patch(`user-roles/${roleId}`, { title: 'Other name' }, { version: 1 })).status).toBe(200)
  })

  it('who are not administrators touch none and make none', async () => {
    const { caller } = await test.userWith('USERS_MANAGEMENT', 'FULL_ACCESS')
    const admin = await test.idOf('user', 'email', 'admin@waybill.example')
    const { body } = await caller.get(`users/${admin}`)
    expect((await caller.patch(`users/${admin}`, { phone: '0601 555' }, { version: body.version })).status).toBe(403)
    expect(
      (
        await caller.post('users', {
          fullName: 'Boss',
          email: 'boss@waybill.example',
          position: { title: 'Boss', isAdmin: true },
        })
      ).status,
    ).toBe(403)
  })

  it('lose their sessions with a change of role, state or position held, not of phone number or title', async () => {
    const roleId = await test.idOf('user_role', 'title', 'Dispatch')
    const changes: [change: object, status: number][] = [
      [{ phone: '+49 40 5550 101', departmentId: null }, 200],
      [{ position: { title: 'Senior clerk', isAdmin: false } }, 200],
      [{ roleId }, 401],
      [{ position: null }, 401],
      [{ position: { title: 'Boss', isAdmin: true } }, 401],
      [{ state: 'inactive' }, 401],
    ]
    for (const [change, status] of changes) {
      const { caller, id, email, tokens } = await test.userWith('ORDERS_MANAGEMENT')
      const second = test.withToken((await test.signIn(email, ADMIN.password)).body.token)
      const { body: user } = await test.admin.get(`users/${id}`)
      expect((await test.admin.patch(`users/${id}`, change, { version: user.version })).status).toBe(200)
      for (const one of [caller, second]) expect((await one.get('profile')).status, JSON.stringify(change)).toBe(status)
      expect((await test.anonymous.post('token/refresh', { refreshToken: tokens.refreshToken })).status).toBe(status)
    }
  })

  it('who are active again need a new session', async () => {
    const { caller, id } = await test.userWith('ORDERS_MANAGEMENT')
    const { body: user } = await test.admin.get(`users/${id}`)
    await test.admin.patch(`users/${id}`, { state: 'inactive' }, { version: user.version })
    await test.admin.patch(`users/${id}`, { state: 'active' }, { version: user.version + 1 })
    expect((await caller.get('profile')).status).toBe(401)
  })

  it('who change their own role keep the session in which they do it, and lose the others', async () => {
    const { body: role } = await test.admin.post('user-roles', { title: 'Boss role', permissions: ['FULL_ACCESS'] })
    const { id, email } = await test.userWith()
    await test.database.pool.query('update "user" set "isAdmin" = true where id = $1', [id])
    const here = test.withToken((await test.signIn(email, ADMIN.password)).body.token)
    const there = test.withToken((await test.signIn(email, ADMIN.password)).body.token)
    const { body: own } = await here.get(`users/${id}`)
    expect((await here.patch(`users/${id}`, { roleId: role.id }, { version: own.version })).status).toBe(200)
    expect((await here.get('profile')).status).toBe(200)
    expect((await there.get('profile')).status).toBe(401)
    // A role that asks for a second factor makes no exception for oneself.
    const { body: strict } = await test.admin.post('user-roles', {
      title: 'Strict role',
      permissions: ['FULL_ACCESS'],
      isTwoFactorRequired: true,
    })
    expect((await here.patch(`users/${id}`, { roleId: strict.id }, { version: own.version + 1 })).status).toBe(200)
    expect((await here.get('profile')).status).toBe(401)
  })

  it('leave one administrator at least, also when two step down at once', async () => {
    const first = await test.idOf('user', 'email', 'admin@waybill.example')
    // The two are the only ones: the tests before this made others.
    await test.database.pool.query('update "user" set "isAdmin" = false where id <> $1', [first])
    const { body: second } = await test.admin.post('users', {
      fullName: 'Second',
      email: 'second@waybill.example',
      position: { title: 'Boss', isAdmin: true },
    })
    const { body: read } = await test.admin.get(`users/${first}`)
    const answers = await Promise.all([
      test.admin.patch(`users/${first}`, { position: { title: 'Clerk', isAdmin: false } }, { version: read.version }),
      test.admin.patch(`users/${second.id}`, { state: 'inactive' }, { version: second.version }),
    ])
    expect(answers.some((answer) => answer.status === 200)).toBe(true)
    expect(answers.every((answer) => answer.status === 200)).toBe(false)
    const { body: refusal } = answers.find((answer) => answer.status !== 200)!
    expect(['last_administrator', 'unauthenticated', 'forbidden']).toContain(refusal.code)
    const { rows } = await test.database.pool.query(
      `select count(*)::int as left from "user" where "isAdmin" and state = 'active'`,
    )
    expect(rows[0].left).toBeGreaterThanOrEqual(1)
  })
})
