"""What the scripts share: clients of the server whose address is given, and words for what is expected.

Of the address, Region and credentials (of the environment) nothing else is configured; botocore signs every request.
"""
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

url = sys.argv[1]


def settings(**config):
    return dict(region_name="us-east-1", endpoint_url=url, config=Config(connect_timeout=10, read_timeout=30, **config))


once = settings(retries={"total_max_attempts": 1})
client = boto3.client("dynamodb", **once)
streams = boto3.client("dynamodbstreams", **once)
resource = boto3.resource("dynamodb", **once)


def step(name):
    print(name, flush=True)


def same(got, want):
    assert got == want, f"{got!r} is not {want!r}"


def refused(code, call, **arguments):
    try:
        call(**arguments)
    except ClientError as e:
        same(e.response["Error"]["Code"], code)
        return e
    raise AssertionError(f"{call.__name__} is not refused with {code}")


def knows(operation):
    """Whether this version of boto3 has an operation; what it has not is told."""
    if operation in client.meta.service_model.operation_names:
        return True
    print("lacks", operation)
    return False
