"""Signs requests with oauthlib, one JSON object a line in, one a line out. Needs the Debian package python3-oauthlib.

It shares no code with the package under test, and it is the authority: what it answers is what was to be signed.
"""

import hashlib
import json
import sys
from urllib.parse import urlsplit

from oauthlib.oauth1.rfc5849 import signature


def sign(request, rsa_key):
    parameters = signature.collect_parameters(
        uri_query=urlsplit(request["url"]).query, body=request["body"], exclude_oauth_signature=True
    )
    parameters += [
        ("oauth_consumer_key", request["consumerKey"]),
        ("oauth_nonce", request["nonce"]),
        ("oauth_signature_method", request["method"]),
        ("oauth_timestamp", str(request["timestamp"])),
        ("oauth_version", "1.0"),
    ]
    base_string = signature.signature_base_string(
        request["httpMethod"],
        signature.base_string_uri(request["url"]),
        signature.normalize_parameters(parameters),
    )
    control = hashlib.sha1(("".join(request["terms"]) + request["controlKey"]).encode()).hexdigest()
    return {"baseString": base_string, "signature": signed(request, base_string, rsa_key), "control": control}


def signed(request, base_string, rsa_key):
    if request["method"] == "RSA-SHA256":
        return signature._sign_rsa("SHA-256", base_string, rsa_key)
    return signature.sign_hmac_sha1(base_string, request["secret"], "")


def main():
    first = json.loads(sys.stdin.readline())
    for line in sys.stdin:
        sys.stdout.write(json.dumps(sign(json.loads(line), first["rsaKey"])) + "\n")
        sys.stdout.flush()


main()
