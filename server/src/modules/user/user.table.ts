import type { Generated, GeneratedAlways } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import type { State } from '@waybill/contract/kit/fields'
import type { TitleColumns } from '../../kit/records/titles.ts'
import type { Permission } from '@waybill/contract/permissions'

declare module '../../kit/database/db.ts' {
  interface Tables {
    user_role: TitleColumns & {
      id: Generated<number>
      version: Generated<number>
      title: string
      isEnabled: Generated<boolean>
      permissions: Permission[]
      isTwoFactorRequired: Generated<boolean>
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
    }
    user: {
      id: Generated<number>
      version: Generated<number>
      fullName: string
      email: string
      phone: string | null
      defaultLanguage: Language
      roleId: number | null
      positionTitle: string | null
      isAdmin: Generated<boolean>
      departmentId: number | null
      plateNumber: string | null
      passwordHash: string | null
      invitedAt: Generated<string | null>
      createdAt: string
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
    }
    /** what a person's role and position granted until they were changed; see user.policy.ts */
    held_right: {
      id: Generated<number>
      userId: number
      permissions: Permission[]
      isAdmin: boolean
      until: string
    }
    /** A person's second factor: the list of people shows who has one; the way in with it is the session's. */
    two_factor: { userId: number; secret: Buffer; lastStep: number; confirmedAt: string }
    /** passkeys of people, likewise; `userHandle` is what devices know the person by, the same for all of theirs */
    passkey: {
      id: Generated<number>
      userId: number
      name: string
      credentialId: Buffer
      publicKey: Buffer
      userHandle: Buffer
      counter: number
      transports: string[]
      isSynced: boolean
      addedAt: string
      lastUsedAt: string | null
    }
  }
}
