import type * as openid from 'openid-client'
import type { Configuration, CustomFetch, IDToken, UserInfoResponse } from 'openid-client'
import { email, text } from '@waybill/contract/kit/fields'
import { AppError } from '../../../kit/context/errors.ts'
import type { BrowserAnswer, ProvedPerson, ProviderSettings, SignInProvider } from './provider-settings.ts'

/** People wait for each call at the sign-in page. */
const LONGEST_SECONDS = 8
/** What the provider says of itself may change: it is asked again after an hour. */
const KNOWN_MS = 3_600_000

type Library = typeof openid
type Claims = IDToken | (IDToken & UserInfoResponse)

/** What ended a call to the provider before it answered, or kept it from being asked at all. */
class AwayError extends Error {}

/**
 * A provider of OpenID Connect: code flow with PKCE, state and nonce (decision 112). The library is loaded when
 * first somebody signs in. Calls go to the issuer and to the hosts that the settings name, and follow no redirect.
 */
export function createOpenIdProvider(settings: ProviderSettings): SignInProvider & { settings: ProviderSettings } {
  const issuer = new URL(settings.issuer)
  const mayCall = (url: URL): boolean =>
    url.origin === issuer.origin || (url.protocol === 'https:' && settings.hosts.includes(url.host))

  const call: CustomFetch = async (address, options) => {
    if (!mayCall(new URL(address))) throw new AwayError(`${new URL(address).host} is none of the provider’s hosts`)
    const { body, ...rest } = options
    const response = await fetch(address, {
      ...rest,
      redirect: 'manual',
      ...(body !== undefined && body !== null && { body: body as string }),
    }).catch((error: unknown) => {
      throw new AwayError('the provider cannot be reached', { cause: error })
    })
    if (response.status >= 500) throw new AwayError(`the provider answers with ${response.status}`)
    return response
  }

  const discover = async (library: Library): Promise<Configuration> =>
    library.discovery(issuer, settings.clientId, settings.clientSecret, undefined, {
      [library.customFetch]: call,
      timeout: LONGEST_SECONDS,
      execute: [
        // The signature too, and not only the line on which the token came.
        library.enableNonRepudiationChecks,
        // Of this machine alone (the settings see to it): a provider that is tried out.
        ...(issuer.protocol === 'http:' ? [library.allowInsecureRequests] : []),
      ],
    })

  let known: { at: number; configuration: Promise<Configuration> } | null = null
  const configurationOf = (library: Library): Promise<Configuration> => {
    if (known !== null && performance.now() - known.at < KNOWN_MS) return known.configuration
    const configuration = discover(library)
    const asked = { at: performance.now(), configuration }
    known = asked
    configuration.catch(() => {
      if (known === asked) known = null
    })
    return configuration
  }
  /** The library, and what the provider says of itself. Errors: `provider_away`, also where that is of another one. */
  async function open(): Promise<{ library: Library; configuration: Configuration }> {
    const library = await import('openid-client')
    const configuration = await configurationOf(library).catch((error: unknown) => {
      throw new AppError('provider_away', {}, { cause: error })
    })
    return { library, configuration }
  }

  async function claimsOf(
    library: Library,
    configuration: Configuration,
    { id, accessToken }: { id: IDToken; accessToken: string },
  ): Promise<Claims> {
    const isWhole = typeof id.email === 'string' && (settings.roles === null || settings.roles.claim in id)
    const { userinfo_endpoint: more } = configuration.serverMetadata()
    if (isWhole || more === undefined || !mayCall(new URL(more))) return id
    return { ...(await library.fetchUserInfo(configuration, accessToken, id.sub)), ...id }
  }

  return {
    settings,
    async begin(redirectUri, { state, nonce, verifier }) {
      const { library, configuration } = await open()
      return library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href
    },
    async finish(redirectUri, { state, nonce, verifier }, answer) {
      const { library, configuration } = await open()
      try {
        const tokens = await library.authorizationCodeGrant(configuration, addressOf(redirectUri, answer), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const given = { id: tokens.claims()!, accessToken: tokens.access_token }
        return personOf(await claimsOf(library, configuration, given), settings)
      } catch (error) {
        return refuse(error)
      }
    },
  }
}

const addressOf = (redirectUri: string, answer: BrowserAnswer): URL => {
  const address = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) address.searchParams.set(name, value)
  return address
}

/** Away is a provider that does not answer; all else is a try that failed. */
function refuse(error: unknown): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause as Error) {
    const isLate = ['OAUTH_TIMEOUT', 'OAUTH_ABORT'].includes((cause as { code?: string }).code ?? '')
    if (cause instanceof AwayError || isLate) throw new AppError('provider_away', {}, { cause: error })
  }
  throw new AppError('provider_sign_in_failed', {}, { cause: error })
}

// What comes from outside is held to the shapes of our own forms.
const Subject = text(255)
const FullName = text(150)
const valueIn = <T>(shape: { safeParse(given: unknown): { data?: T } }, given: unknown): T | null =>
  shape.safeParse(given).data ?? null

// Some providers write it as a text or a number.
const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === 1 || value === '1'

function personOf(claims: Claims, { verifiedClaim, roles }: ProviderSettings): ProvedPerson {
  const found = claims as Record<string, unknown>
  const values = roles === null ? [] : [found[roles.claim]].flat()
  const subject = valueIn(Subject, claims.sub)
  if (subject !== claims.sub) throw new Error('the provider’s name of the person cannot be kept')
  return {
    issuer: claims.iss,
    subject,
    email: isTrue(found[verifiedClaim]) ? (valueIn(email, claims.email)?.toLowerCase() ?? null) : null,
    fullName: valueIn(FullName, claims.name),
    locale: typeof claims.locale === 'string' ? claims.locale : null,
    roleValues: values.filter((value): value is string => typeof value === 'string'),
  }
}
