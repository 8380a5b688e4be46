/** Tokens of messaging, payment, mail and shop services, as their documentation shows them. */
import type { TokenShape } from "./token_shape.ts";

/** Name, shape, documentation. */
export const SERVICE_TOKENS: readonly TokenShape[] = [
  ["slack-token", "xapp-{w20:80}", "docs.slack.dev"],
  ["stripe-webhook", "whsec_{b20:32}", "docs.stripe.com"],
  ["square-token", "EAAA{w56:60}", "developer.squareup.com"],
  ["square-secret", "sq0(atp|csp|idp)-{w22:43}", "developer.squareup.com"],
  [
    "braintree-token",
    "access_token$(production|sandbox)${l16}${h32:32}",
    "developer.paypal.com/braintree",
  ],
  ["plaid-token", "access-(sandbox|development|production)-{i30:36}", "plaid.com/docs"],
  ["flutterwave-key", "FLWSECK(_TEST|)-{a12:32}", "developer.flutterwave.com"],
  ["paddle-key", "pdl_(live|sdbx)_apikey_{w30:60}", "developer.paddle.com"],
  ["lemonsqueezy-webhook", "lssec_{a20:32}", "docs.lemonsqueezy.com"],
  ["easypost-key", "EZ(A|T)K{a50:54}", "docs.easypost.com"],
  ["shippo-token", "shippo_(live|test)_{x36:40}", "docs.goshippo.com"],
  ["duffel-token", "duffel_(live|test)_{w40:43}", "duffel.com/docs"],
  ["hubspot-token", "pat-(na1|na2|eu1|ap1)-{i30:36}", "developers.hubspot.com"],
  ["sendgrid-key", "SG.{w16-64:22}.{w16:43}", "twilio.com/docs/sendgrid"],
  ["mailgun-key", "key-{h32:32}", "documentation.mailgun.com"],
  ["brevo-key", "x(key|smtp)sib-{h60-64:64}-{a14:16}", "developers.brevo.com"],
  ["resend-key", "re_{a8}_{a20:24}", "resend.com/docs"],
  ["mailersend-key", "mlsn.{h60:64}", "developers.mailersend.com"],
  ["shopify-token", "shp(at|ca|pa|ss|ua)_{x32:32}", "shopify.dev"],
  ["facebook-token", "EAA{a80:180}", "developers.facebook.com"],
  ["instagram-token", "IGQ{w80:150}", "developers.facebook.com"],
  ["dropbox-token", "sl.{w120:140}", "dropbox.com/developers"],
  ["x-bearer-token", "AAAAAAAAAAAAAAAAAAAA{k60:90}", "docs.x.com"],
  ["twitch-token", "oauth:{l30:30}", "dev.twitch.tv"],
  ["clickup-token", "pk_{d6-12:8}_{u30:32}", "developer.clickup.com"],
  ["svix-token", "testsk_{k24:40}", "docs.svix.com"],
  ["trigger-key", "tr_(dev|prod|stg|preview)_{a20:24}", "trigger.dev/docs"],
  ["inngest-key", "signkey-(prod|test|branch)-{x32:64}", "inngest.com/docs"],
  ["cal-key", "cal_(live|test)_{h30:32}", "cal.com/docs"],
];
