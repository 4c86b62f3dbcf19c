/** What the settings say of the identity provider (README, Settings; decision 112). */
export interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** what the button calls it */
  label: string
  /** hosts beside the issuer's that may be called: some providers answer from several */
  hosts: readonly string[]
  /** the claim that says whether the address is verified */
  verifiedClaim: string
  /** whose addresses are linked or made; empty: all */
  domains: readonly string[]
  /** the role that new people get; null: nobody is made */
  createRole: string | null
  /** the role by a claim, the first that fits; null: roles are given by hand */
  roles: { claim: string; titles: readonly { value: string; title: string }[] } | null
}

declare module '../../../kit/context/context.ts' {
  interface Ports {
    /** null: people sign in with passwords alone */
    provider: (SignInProvider & { settings: ProviderSettings }) | null
    /** the one address that may still use a password; null: all may */
    passwordOnlyFor: string | null
  }
}

/** Somebody whom the provider has proved to be its own. */
export interface ProvedPerson {
  issuer: string
  subject: string
  /** in small letters; null where the provider gives none, or has not verified it */
  email: string | null
  fullName: string | null
  /** of the person's language, as the provider writes it */
  locale: string | null
  /** values of the claim that roles go by */
  roleValues: readonly string[]
}

/** What one sign-in in one browser is tied to. */
export interface AttemptKeys {
  state: string
  nonce: string
  verifier: string
}

/** The answer that the provider sends through the browser. */
export interface BrowserAnswer {
  state: string
  code?: string | undefined
  error?: string | undefined
  iss?: string | undefined
}

export interface SignInProvider {
  /** where the browser goes. Errors: `provider_away` */
  begin(redirectUri: string, keys: AttemptKeys): Promise<string>
  /** who came back. Errors: `provider_sign_in_failed`, `provider_away` */
  finish(redirectUri: string, keys: AttemptKeys, answer: BrowserAnswer): Promise<ProvedPerson>
}
