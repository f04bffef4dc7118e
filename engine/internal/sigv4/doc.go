// Package sigv4 verifies AWS Signature Version 4, as the service does on its side of a request:
//
//	s, err := sigv4.Read(request, "dynamodb", now)          // who says to have signed, for which Region
//	secret, ok := secrets[s.KeyID]                          // yours to find
//	err = s.Verify(request, sha256.Sum256(body), secret)    // whether they have
//
// Both forms are read: the header Authorization, and the parameters X-Amz-… of a presigned URL. What is signed is the
// method, the path, the query, the headers named in SignedHeaders and the body; Host and every X-Amz-… header of the
// request have to be among the headers (IAM User Guide, reference_sigv-create-signed-request), so that none of them can be
// altered or added on the way. The hash of the body is always computed from what came: a request signed with
// UNSIGNED-PAYLOAD, which Amazon S3 takes and DynamoDB does not, has a signature that does not match.
//
// Refusals are an *Error with the code and the text that AWS gives, as captured on it in public issue threads.
//
// This is version 4 for one Region only. Version 4A, which signs for several, and signatures chunk by chunk are of other
// services.
package sigv4
