import type { FastifyReply } from 'fastify'
import { LOGO_LIMITS, type Company } from '@waybill/contract/company'
import { audit } from '../../kit/records/audit.ts'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import { pngSize } from './company-logo.rules.ts'
import { companyService } from './company.service.ts'

/** The bytes of a logo that may be kept; what they are is read from themselves. */
function logoOf(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  const size = bytes.length <= LOGO_LIMITS.kilobytes * 1000 ? pngSize(bytes) : null
  const isFitting =
    size !== null && Math.min(size.width, size.height) > 0 && Math.max(size.width, size.height) <= LOGO_LIMITS.pixels
  if (!isFitting) throw fieldError('png', 'invalid_logo', LOGO_LIMITS)
  return bytes
}

/** Sets a company's logo, or takes it away. Errors: `not_found`, `stale_version`, `invalid_logo`. */
export async function setCompanyLogo(ctx: Ctx, id: number, version: number, base64: string | null): Promise<Company> {
  const before = await companyService.get(ctx, id)
  const png = base64 === null ? null : logoOf(base64)
  if (!(await bumpVersion(ctx, 'company', id, version, {})))
    throw new AppError('stale_version', { current: await companyService.get(ctx, id) })
  if (png === null) await ctx.db.deleteFrom('company_logo').where('companyId', '=', id).execute()
  else
    await ctx.db
      .insertInto('company_logo')
      .values({ companyId: id, png })
      .onConflict((known) => known.column('companyId').doUpdateSet({ png }))
      .execute()
  const after = await companyService.get(ctx, id)
  // One picture in place of another changes no field.
  await audit(ctx, {
    ownerKind: 'company',
    ownerId: id,
    action: png === null ? 'logoRemoved' : 'logoSet',
    before,
    after,
  })
  return after
}

/** Sends the picture; `not_found` where there is none. */
export async function sendCompanyLogo(ctx: Ctx, id: number, reply: FastifyReply): Promise<void> {
  const row = await ctx.db.selectFrom('company_logo').select('png').where('companyId', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  void reply
    .headers({
      'Content-Type': 'image/png',
      'Content-Disposition': 'inline; filename="logo.png"',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Cache-Control': 'private, no-store',
    })
    .send(row.png)
}
