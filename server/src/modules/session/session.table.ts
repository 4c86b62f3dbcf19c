import type { Generated } from 'kysely'
import type { AccountLinkType } from '@waybill/contract/email'
import type { TwoFactorChallenge } from '@waybill/contract/session'

declare module '../../kit/database/db.ts' {
  interface Tables {
    session: {
      id: Generated<number>
      userId: number
      refreshHash: Buffer
      createdAt: string
      expiresAt: string
      lastUsedAt: string
      endedAt: string | null
      userAgent: string | null
      lastAddress: string | null
      pendingSecret: Buffer | null
    }
    /** whom the identity provider means by a subject; see provider/provider-sign-in.ts */
    user_identity: { issuer: string; subject: string; userId: number; linkedAt: string }
    /** sign-ins that are under way at the identity provider, by the digest of the browser's cookie */
    provider_attempt: { hash: Buffer; expiresAt: string }
    access_token: { hash: Buffer; sessionId: number; expiresAt: string }
    spent_refresh_token: { hash: Buffer; sessionId: number; spentAt: string }
    /** wrong passwords and codes by whose they were tried; see guessing.ts */
    sign_in_failure: { id: Generated<number>; subject: string; at: string }
    /** devices on which a person has signed in, by the digest of their cookie; see known-device.ts */
    known_device: { hash: Buffer; userId: number; lastUsedAt: string }
    recovery_code: { hash: Buffer; userId: number; usedAt: string | null }
    sign_in_challenge: {
      hash: Buffer
      userId: number
      kind: TwoFactorChallenge['twoFactor']
      tries: Generated<number>
      expiresAt: string
      pendingSecret: Buffer | null
    }
    /** what browsers were asked to sign with a passkey; see passkey/passkey-challenge.ts */
    passkey_challenge: {
      hash: Buffer
      sessionId: number | null
      userHandle: Buffer | null
      signInHash: Buffer | null
      expiresAt: string
    }
    account_token: {
      hash: Buffer
      userId: number
      purpose: AccountLinkType
      email: string
      createdAt: string
      expiresAt: string
    }
    recovery_request: { id: Generated<number>; address: string; ip: string; at: string; handledAt: string | null }
  }
}
