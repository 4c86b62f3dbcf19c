import { listPasskeys } from '@waybill/contract/session/passkey'
import { listSessions, type TwoFactorSetup } from '@waybill/contract/session'
import { server } from '../kit/fake-server.ts'

/** What one's own profile asks beside the profile: this session and no other, and no passkeys. */
export function answerProfilePage(): void {
  server.answer(listPasskeys, { items: [], isOffered: false })
  server.answer(listSessions, {
    items: [
      {
        id: 301,
        createdAt: '2026-11-24T09:00:00Z',
        lastUsedAt: '2026-11-25T09:00:00Z',
        userAgent: null,
        lastAddress: null,
        isCurrent: true,
      },
    ],
  })
}

/** What an authenticator app is given. */
export const SETUP: TwoFactorSetup = {
  secret: 'JBSWY3DPEHPK3PXP',
  otpauthUrl: 'otpauth://totp/Waybill:anna@waybill.example?secret=JBSWY3DPEHPK3PXP&issuer=Waybill',
  qrSvg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h5v5H0z"/></svg>',
}
